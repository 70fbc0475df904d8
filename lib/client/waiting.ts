import { waitingCalls } from '@/lib/tool-calls/message-calls'
import { amendmentsOf, replyCalls } from './reply-calls'
import { callKey, type ConversationState } from './state'

/** How many calls of the last message wait for the user's word. */
export function waitingCount(view: ConversationState): number {
  const last = view.path.at(-1)
  const config = view.conversation?.settings.tools
  if (!config || last?.role !== 'assistant' || last.outcome !== 'finished') return 0
  const calls = replyCalls(last, config, amendmentsOf(view, last.id))
  return waitingCalls(calls, (slot) => view.calls.get(callKey(last.id, slot))).filter(
    ({ slot }) => !view.live.has(callKey(last.id, slot)),
  ).length
}
