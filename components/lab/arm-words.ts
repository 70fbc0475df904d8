import type { Arm } from '@/lib/client/lab/trial-model'
import { t } from '@/lib/i18n/t'

/** What an arm of a lab is called. */
export const armWords = ({ strategy, exact }: Arm): string => (exact ? t('lab.arm', { strategy }) : strategy)
