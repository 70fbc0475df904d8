import type { ApiAnswer, ApiFailure } from '@/lib/client/api/api-failure'
import { withRetry } from '@/lib/client/api/api-client'
import type { DecideCall, DecideCallResponse } from '@/lib/shared/conversation/wire/call-requests'
import { stoppedWithOthers } from '@/lib/shared/conversation/stopped-outcome'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { CallControllerPorts } from './call-ports'
import type { OpenReply } from './open-reply'
import { t } from '@/lib/i18n/t'
import type { JsonValue } from '@/lib/base/json'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { CallActions } from '@/lib/client/chats/actions'
import type { ExecutionDecision } from './approval/approval-ui'
import type { QuestionBoard } from './question-board'

const DECIDE_TRIES = 3

/** A decision that runs nothing. */
export type NoDecision = { readonly decision: 'deny'; readonly reason: string } | { readonly decision: 'skip' }

type DecidePorts = Pick<CallControllerPorts, 'api' | 'wait' | 'runnerId' | 'now'>

export const hashOf = ({ messageId }: OpenReply, { slot, call }: MessageCall): Promise<string> =>
  callHash(messageId, slot, call.name, call.arguments)

/** Requests the unique row that records the decision. */
export const decide = (
  { api, wait, runnerId }: DecidePorts,
  { conversationId, messageId }: OpenReply,
  request: Omit<DecideCall, 'messageId' | 'runnerId'>,
): Promise<ApiAnswer<DecideCallResponse>> =>
  withRetry(() => api.decideCall(conversationId, { messageId, runnerId, ...request }), { tries: DECIDE_TRIES, wait })

/** Denies or skips one call. Returns a sentence if it could not be stored; nothing ran either way. */
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
 * Cancels one call that was about to run: its card shows it at once. Returns a sentence if it could not be stored;
 * nothing ran either way.
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
 * Says why the server refused a decision, after loading what changed meanwhile. If the call itself changed, the card
 * now shows its current state and asks again.
 */
export async function whyRefused(reply: OpenReply, target: MessageCall, failure: ApiFailure): Promise<string> {
  if (failure.code !== 'conflict' && failure.code !== 'call-not-open') return failure.message
  if (!(await reply.load())) return failure.message
  const [now] = reply.pick([target.slot])
  if (now && isSameCall(now, target)) return failure.message
  return t('calls.changed-elsewhere')
}

/** The same tool with the same arguments, which a decision is bound to. */
export const isSameCall = (a: MessageCall, b: MessageCall): boolean =>
  canonicalJson([a.call.name, a.call.arguments]) === canonicalJson([b.call.name, b.call.arguments])

/** Takes a decision on one call; returns a sentence if it could not be carried out. */
export type DecideTogether = (
  reply: AssistantMessage,
  call: MessageCall,
  decision: ExecutionDecision,
) => Promise<string | null>

interface Decision {
  readonly reply: AssistantMessage
  readonly call: MessageCall
  readonly decision: ExecutionDecision
  readonly done: (problem: string | null | Promise<string | null>) => void
}

/** Carries out decisions made together as one start for each message, in the order of the answers. */
export function createDecideTogether(
  actions: Pick<CallActions, 'run' | 'deny' | 'skip' | 'remember'>,
  boardNow: () => QuestionBoard | null,
): DecideTogether {
  let decisions: Decision[] = []

  function carryOut(): void {
    const batch = decisions
    decisions = []
    const board = boardNow()
    // The actions take the call in its current state, so it must equal the one that was seen.
    const stands = ({ reply, call }: Decision) =>
      board?.reply.id === reply.id && board.calls.some((now) => now.slot === call.slot && isSameCall(now, call))
    const runs: number[] = []
    const answers = new Map<number, JsonValue>()
    const skips: number[] = []
    const denials = new Map<string, number[]>()
    let stopAtFailure = false
    for (const { reply, call, decision, done } of batch.filter(stands)) {
      switch (decision.kind) {
        case 'run':
          if (decision.remember) done(actions.remember(reply.id, call.slot, decision.remember, decision.alsoRun ?? []))
          else runs.push(call.slot)
          if (decision.answer !== undefined) answers.set(call.slot, decision.answer)
          stopAtFailure ||= decision.stopAtFailure ?? false
          break
        case 'deny':
          denials.set(decision.reason, [...(denials.get(decision.reason) ?? []), call.slot])
          break
        case 'skip':
          skips.push(call.slot)
          break
        case 'later':
          break
      }
    }
    const messageId = board?.reply.id ?? ''
    if (runs.length > 0) actions.run(messageId, runs, { stopAtFailure, ...(answers.size > 0 && { answers }) })
    for (const [reason, slots] of denials) actions.deny(messageId, slots, reason)
    if (skips.length > 0) actions.skip(messageId, skips)
    // The callers that wait for `remember` already know that it continues.
    for (const { done } of batch) done(null)
  }

  return (reply, call, decision) =>
    new Promise((done) => {
      if (decisions.length === 0) queueMicrotask(carryOut)
      decisions.push({ reply, call, decision, done })
    })
}
