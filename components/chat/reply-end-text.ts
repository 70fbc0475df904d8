import { t } from '@/lib/i18n/t'
import { assertNever } from '@/lib/base/result'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import type { ConversationState } from '@/lib/client/state/state'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { loadWaiting } from '@/components/context/use-waiting'

/** How a reply ended, as a sentence, with what now waits; '' while it is still running. */
export async function replyEndText(reply: AssistantMessage, view: () => ConversationState): Promise<string> {
  switch (reply.outcome) {
    case null:
      return ''
    case 'finished':
      return finishedWords(reply, view)
    case 'stopped':
      return t('said.stopped')
    case 'length':
      return t('said.length')
    case 'failed':
      return t('said.failed')
    case 'interrupted':
      return t('said.interrupted')
    default:
      return assertNever(reply.outcome)
  }
}

/** Says what the reply lacks or what now waits, with the question of the first call. */
async function finishedWords(reply: AssistantMessage, view: () => ConversationState): Promise<string> {
  const reading = await loadWaiting().catch(() => null)
  const lacks = reading?.lacks(reply, view()) ?? null
  if (lacks !== null) return t('said.empty', { lacks })
  const count = reading?.count(view()) ?? 0
  if (count === 0) return t('said.finished')
  const what = t('said.finished-waiting', { waiting: t('waiting.calls', { count }) })
  const first = reading?.ask(view())
  if (!first || first.ask === '') return what
  return t('said.asks', {
    what,
    name: visibleText(first.name, 'name'),
    ask: visibleText(first.ask, 'prose'),
  })
}
