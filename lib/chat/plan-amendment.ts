import { makeError } from '@/lib/i18n/t'
import { needsDecision } from '@/lib/calls/message-calls'
import type { AmendCall } from '@/lib/conversation/api-types'
import type { AmendPlan } from '@/lib/store/call-store'
import type { StoredConversation } from '@/lib/store/conversation-store'
import { replyOf, whyNot, type CallReader } from './call-of-request'

/** What the user made of a call, with what it makes of its reply; refused where the reply then holds no such call. */
export function planAmendment(
  stored: StoredConversation,
  readCalls: CallReader,
  { messageId, slot, amendment }: AmendCall,
  now: number,
): AmendPlan {
  const message = replyOf(stored, messageId)
  const seen = stored.amendments.filter((one) => one.messageId === messageId)
  const others = seen.filter((one) => one.slot !== slot)
  const next = amendment ? [...others, { messageId, slot, call: amendment.call, amendedAt: now }] : others
  const calls = readCalls(message, next)
  if (amendment && !calls.some((call) => call.slot === slot)) {
    throw makeError('call-not-open', whyNot(message, undefined))
  }
  // A call that was decided counts whatever became of its tool: the list takes the decided ones off again.
  const decided = new Set(stored.calls.filter((row) => row.messageId === messageId).map((row) => row.slot))
  const runnableCalls = calls.filter((call) => needsDecision(call) || decided.has(call.slot)).length
  return { amendment, seen, runnableCalls }
}
