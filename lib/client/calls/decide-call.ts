import type { ApiAnswer, ApiFailure } from '@/lib/client/api/api-failure'
import { withRetry } from '@/lib/client/api/with-retry'
import type { DecideCall, DecideCallResponse } from '@/lib/shared/conversation/wire/api-types'
import { stoppedWithOthers } from '@/lib/shared/conversation/stopped-outcome'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'
import { t } from '@/lib/i18n/t'

const DECIDE_TRIES = 3

/** A word that runs nothing. */
export type NoDecision = { readonly decision: 'deny'; readonly reason: string } | { readonly decision: 'skip' }

type DecidePorts = Pick<CallControllerPorts, 'api' | 'wait' | 'runnerId' | 'now'>

export const hashOf = ({ messageId }: OpenReply, { slot, call }: MessageCall): Promise<string> =>
  callHash(messageId, slot, call.name, call.arguments)

/** Asks for the unique row that decides. */
export const decide = (
  { api, wait, runnerId }: DecidePorts,
  { conversationId, messageId }: OpenReply,
  request: Omit<DecideCall, 'messageId' | 'runnerId'>,
): Promise<ApiAnswer<DecideCallResponse>> =>
  withRetry(() => api.decideCall(conversationId, { messageId, runnerId, ...request }), { tries: DECIDE_TRIES, wait })

/** Denies or skips one call. Gives a sentence when it could not be stored; nothing ran either way. */
export async function denyCall(
  ports: DecidePorts,
  reply: OpenReply,
  target: MessageCall,
  word: NoDecision,
): Promise<string | null> {
  const { slot } = target
  const answer = await decide(ports, reply, { slot, callHash: await hashOf(reply, target), ...word, attempt: 1 })
  if (answer.ok) {
    reply.record(answer.value.call)
    reply.setLive(slot, null)
    return null
  }
  const why = await whyRefused(reply, target, answer.error)
  return t(word.decision === 'deny' ? 'calls.not-denied-yet' : 'calls.not-skipped-yet', { why })
}

/**
 * Cancels one call that was about to run: its card shows it at once. Gives a sentence when it could not be stored; nothing
 * ran either way.
 */
export async function cancelCall(ports: DecidePorts, reply: OpenReply, target: MessageCall): Promise<string | null> {
  const { slot } = target
  const startedAt = ports.now()
  const { outcome } = stoppedWithOthers(startedAt)
  reply.setLive(slot, { startedAt, attempt: 1, events: [], outcome, problem: null })
  const hash = await hashOf(reply, target)
  const answer = await decide(ports, reply, { slot, callHash: hash, decision: 'run', cancelled: true, attempt: 1 })
  if (!answer.ok) {
    return t('calls.cancel-not-stored', { why: await whyRefused(reply, target, answer.error) })
  }
  reply.record(answer.value.call)
  reply.setLive(slot, null)
  return null
}

/**
 * Why the server refused a decision, after learning what changed meanwhile: when the call itself did, the card now shows
 * the call as it stands, and asks again.
 */
export async function whyRefused(reply: OpenReply, target: MessageCall, failure: ApiFailure): Promise<string> {
  if (failure.code !== 'conflict' && failure.code !== 'call-not-open') return failure.message
  if (!(await reply.load())) return failure.message
  const [now] = reply.pick([target.slot])
  if (now && isSameCall(now, target)) return failure.message
  return t('calls.changed-elsewhere')
}

/** The same tool with the same arguments: what a decision is bound to. */
export const isSameCall = (a: MessageCall, b: MessageCall): boolean =>
  canonicalJson([a.call.name, a.call.arguments]) === canonicalJson([b.call.name, b.call.arguments])
