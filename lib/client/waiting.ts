import { isGated, waitingCalls } from '@/lib/calls/message-calls'
import { isReadForCalls } from '@/lib/calls/calls-of'
import { amendmentsOf, replyCalls } from './reply-calls'
import { callKey, type ConversationState } from './state'

/** How many calls of the last message wait for the user's word: to run, to keep what they changed, or to let their results out. */
export function waitingCount(view: ConversationState): number {
  const last = view.path.at(-1)
  const config = view.conversation?.settings.tools
  if (!config || !isReadForCalls(last)) return 0
  const calls = replyCalls(last, config, amendmentsOf(view, last.id))
  const recordOf = (slot: number) => view.calls.get(callKey(last.id, slot))
  // One whose decision could not be made waits again; its card says why.
  const isBusy = (slot: number) => view.live.get(callKey(last.id, slot))?.problem === null
  const gated = calls.filter(({ slot }) => {
    const record = recordOf(slot)
    return record !== undefined && isGated(record)
  })
  const waiting = waitingCalls(calls, recordOf, config.maxCallsPerReply).filter(({ slot }) => !isBusy(slot))
  const reviews = calls.filter(({ slot }) => view.live.get(callKey(last.id, slot))?.review)
  return waiting.length + gated.length + reviews.length
}
