import { callSentence } from '@/lib/words/calls'
import { stoppedBefore } from '@/lib/conversation/stopped-outcome'
import { callKey } from '@/lib/client/state'
import { canonicalJson } from '@/lib/strategies/canonical-json'
import { callHash } from '@/lib/calls/call-hash'
import { loadRows, type CallMemory, type MessageContext } from './call-memory'
import type { CallControllerPorts, CallFailure } from './call-ports'
import type { MessageCall } from '@/lib/calls/message-calls'
import { withRetry } from './retry'

const DECIDE_TRIES = 3

/** A word that runs nothing. */
export type NoWord = { readonly decision: 'deny'; readonly reason: string } | { readonly decision: 'skip' }

/** Denies or skips one call. Gives a sentence when it could not be stored; nothing ran either way. */
export async function sayNo(
  ports: CallControllerPorts,
  memory: CallMemory,
  context: MessageContext,
  target: MessageCall,
  word: NoWord,
): Promise<string | null> {
  const { conversationId, messageId } = context
  const { slot, call } = target
  const hash = await callHash(messageId, slot, call.name, call.arguments)
  const request = { messageId, slot, callHash: hash, ...word, attempt: 1, runnerId: ports.runnerId } as const
  const answer = await withRetry(() => ports.server.decide(conversationId, request), {
    tries: DECIDE_TRIES,
    wait: ports.wait,
  })
  if (answer.ok) {
    memory.record(answer.value.call)
    memory.setLive(callKey(messageId, slot), null)
    return null
  }
  const why = await whyRefused(ports, memory, context, target, answer.error)
  return callSentence(word.decision === 'deny' ? 'calls.not-denied-yet' : 'calls.not-skipped-yet', { why })
}

/**
 * Cancels one call that was about to run: its card shows it at once. Gives a sentence when it could not be stored; nothing
 * ran either way.
 */
export async function cancelCall(
  ports: CallControllerPorts,
  memory: CallMemory,
  context: MessageContext,
  target: MessageCall,
): Promise<string | null> {
  const { conversationId, messageId } = context
  const { slot, call } = target
  const key = callKey(messageId, slot)
  const startedAt = ports.now()
  const { outcome } = stoppedBefore(startedAt)
  memory.setLive(key, { startedAt, attempt: 1, events: [], outcome, problem: null })
  const hash = await callHash(messageId, slot, call.name, call.arguments)
  const request = {
    messageId,
    slot,
    callHash: hash,
    decision: 'run',
    cancelled: true,
    attempt: 1,
    runnerId: ports.runnerId,
  } as const
  const answer = await withRetry(() => ports.server.decide(conversationId, request), {
    tries: DECIDE_TRIES,
    wait: ports.wait,
  })
  if (!answer.ok) {
    const why = await whyRefused(ports, memory, context, target, answer.error)
    return callSentence('calls.cancel-not-stored', { why })
  }
  memory.record(answer.value.call)
  memory.setLive(key, null)
  return null
}

/**
 * Why the server refused a decision, after learning what changed meanwhile: when the call itself did, the card now shows
 * the call as it stands, and asks again.
 */
export async function whyRefused(
  ports: CallControllerPorts,
  memory: CallMemory,
  context: MessageContext,
  target: MessageCall,
  failure: CallFailure,
): Promise<string> {
  if (failure.code !== 'conflict' && failure.code !== 'call-not-open') return failure.message
  if (!(await loadRows(ports, memory, context))) return failure.message
  const now = memory.callsNow(context).find(({ slot }) => slot === target.slot)
  if (now && isSameCall(now, target)) return failure.message
  return callSentence('calls.changed-elsewhere')
}

/** The same tool with the same arguments: what a decision is bound to. */
export const isSameCall = (a: MessageCall, b: MessageCall): boolean =>
  canonicalJson([a.call.name, a.call.arguments]) === canonicalJson([b.call.name, b.call.arguments])
