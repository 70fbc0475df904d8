import type { CallRecord } from '@/lib/shared/conversation/conversation'
import { t } from '@/lib/i18n/t'

type Part = NonNullable<CallRecord['unreadable']>[number]

/** What of a call's row is lost to the reader, as a sentence on its card. */
export const unreadableWords = (parts: readonly Part[]): string =>
  t('card-state.lost', { parts: parts.map((part) => t(`card-lost.${part}`)) })
