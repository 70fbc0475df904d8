import type { WaitingMessage } from '@/lib/client/state'
import { t } from '@/lib/i18n/t'

interface Now {
  readonly running: boolean
  readonly online: boolean
}

/** What a message waits for, and what that asks of the person; from facts alone. */
export const waitingWords = (message: WaitingMessage, now: Now): string =>
  message.kept ? reasonOf(message, now) : `${reasonOf(message, now)} ${t('thread.unsent.page')}`

function reasonOf({ entry, sending, why }: WaitingMessage, { running, online }: Now): string {
  if (entry.refusal !== null) return t('thread.unsent.refused', { why: entry.refusal })
  if (running) return t('thread.unsent.running')
  if (sending) return t('thread.unsent.sending')
  if (why !== undefined) return t('thread.unsent.why', { why })
  return t('thread.unsent.waiting', { online })
}
