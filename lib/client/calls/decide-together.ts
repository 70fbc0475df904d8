import type { JsonValue } from '@/lib/base/json'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { CallActions } from '@/lib/client/chats/actions'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { ExecutionDecision } from './approval-ui'
import { isSameCall } from './decide-call'
import type { QuestionBoard } from './question-board'

/** Takes a decision on one call; gives a sentence when it could not be carried out. */
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

/** Carries out everything that was decided in one go as one start for each message, in the order of the answers. */
export function createDecideTogether(
  actions: Pick<CallActions, 'run' | 'deny' | 'skip' | 'remember'>,
  deskNow: () => QuestionBoard | null,
): DecideTogether {
  let decisions: Decision[] = []

  function carryOut(): void {
    const batch = decisions
    decisions = []
    const desk = deskNow()
    // The actions take the call as it stands: it must be the one that was seen.
    const stands = ({ reply, call }: Decision) =>
      desk?.reply.id === reply.id && desk.calls.some((now) => now.slot === call.slot && isSameCall(now, call))
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
    const messageId = desk?.reply.id ?? ''
    if (runs.length > 0) actions.run(messageId, runs, { stopAtFailure, ...(answers.size > 0 && { answers }) })
    for (const [reason, slots] of denials) actions.deny(messageId, slots, reason)
    if (skips.length > 0) actions.skip(messageId, skips)
    // Whoever remembers heard already that it goes on.
    for (const { done } of batch) done(null)
  }

  return (reply, call, decision) =>
    new Promise((done) => {
      if (decisions.length === 0) queueMicrotask(carryOut)
      decisions.push({ reply, call, decision, done })
    })
}
