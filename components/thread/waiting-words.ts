import type { WaitingMessage } from '@/lib/client/state'
import { threadSentence } from '@/lib/words/thread'

interface Now {
  readonly running: boolean
  readonly online: boolean
}

/** What a message waits for, and what that asks of the person; from facts alone. */
export const waitingWords = (message: WaitingMessage, now: Now): string =>
  message.kept ? reasonOf(message, now) : `${reasonOf(message, now)} ${threadSentence('thread.unsent.page')}`

function reasonOf({ entry, sending, why }: WaitingMessage, { running, online }: Now): string {
  if (entry.refusal !== null) return threadSentence('thread.unsent.refused', { why: entry.refusal })
  if (running) return threadSentence('thread.unsent.running')
  if (sending) return threadSentence('thread.unsent.sending')
  if (why !== undefined) return threadSentence('thread.unsent.why', { why })
  return threadSentence('thread.unsent.waiting', { online })
}
