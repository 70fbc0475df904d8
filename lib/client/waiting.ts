import { isGated } from '@/lib/calls/message-calls'
import type { ToolSet } from '@/lib/tools/tool-registry'
import { lastCalls } from './reply-calls'
import type { ConversationState } from './state'

/** How many calls of the last message wait for the user's word: to run, to keep what they changed, or to let their results out. */
export function waitingCount(view: ConversationState, tools: ToolSet): number {
  const last = lastCalls(view, tools)
  if (!last) return 0
  // One whose decision could not be made waits again; its card says why.
  const waiting = last.waiting.filter(({ slot }) => last.liveOf(slot)?.problem !== null)
  const reviews = last.calls.filter(({ slot }) => last.liveOf(slot)?.review)
  return waiting.length + last.records.filter(isGated).length + reviews.length
}
