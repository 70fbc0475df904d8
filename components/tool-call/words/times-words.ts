import { t } from '@/lib/i18n/t'

/** 3 → "three times". */
export const timesWords = (count: number): string => t('card-state.times', { count })
