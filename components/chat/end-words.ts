import { stillWaitingSentence } from '@/lib/words/waiting'
import { assertNever } from '@/lib/base/assert-never'
import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import type { ConversationState } from '@/lib/client/state'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { saidSentence } from '@/lib/words/said'
import { loadWaiting } from '@/components/context/use-waiting'

/** How a reply ended, as a sentence, with what it asks by then; '' while it has not. */
export async function endWords(reply: AssistantMessage, view: () => ConversationState): Promise<string> {
  switch (reply.outcome) {
    case null:
      return ''
    case 'finished':
      return finishedWords(reply, view)
    case 'stopped':
      return saidSentence('said.stopped')
    case 'length':
      return saidSentence('said.length')
    case 'failed':
      return saidSentence('said.failed')
    case 'interrupted':
      return saidSentence('said.interrupted')
    default:
      return assertNever(reply.outcome)
  }
}

/** With what it lacks, or what waits now, and the question of the first call. */
async function finishedWords(reply: AssistantMessage, view: () => ConversationState): Promise<string> {
  const reading = await loadWaiting().catch(() => null)
  const lacks = reading?.lacks(reply, view()) ?? null
  if (lacks !== null) return saidSentence('said.empty', { lacks })
  const count = reading?.count(view()) ?? 0
  if (count === 0) return saidSentence('said.finished')
  const what = saidSentence('said.finished-waiting', { waiting: stillWaitingSentence('waiting.calls', { count }) })
  const first = reading?.ask(view())
  if (!first || first.ask === '') return what
  return saidSentence('said.asks', {
    what,
    name: visibleText(first.name, 'name'),
    ask: visibleText(first.ask, 'prose'),
  })
}
