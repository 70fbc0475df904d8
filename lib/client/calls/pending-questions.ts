import { isHere } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { callKey, type ConversationState } from '@/lib/client/state/state'
import type { CallActions } from '@/lib/client/chats/actions'
import { rememberable, type ToolFacts } from '@/lib/shared/calls/approval-policy'
import { roundsInQuestion } from '@/lib/shared/calls/click-reasons'
import { isGated, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { ApprovalUIAdapter, Later } from './approval/approval-ui'
import { approvalKey, roundsKey } from './approval/inline-approval'
import type { CallControllerPorts } from './call-ports'
import type { DecideTogether } from './decide-call'
import { callsIn, repeatsOn, undecidedOn, waitingOn, type QuestionBoard } from './question-board'

/** Something that the user can decide now. */
export interface PendingQuestion {
  /** The same until the call changes, its card shows a new sentence, or it stops waiting. */
  readonly id: string
  /**
   * The question blocks something: it is shown on the screen that the chat's settings name. Otherwise only its card
   * shows it.
   */
  readonly isUrgent: boolean
  /**
   * Asks, and carries out the decision. `problem`: why the previous answer could not be carried out. Returns the same
   * for this one, or `later` if nothing was decided.
   */
  readonly put: (ui: ApprovalUIAdapter, problem: string | null, signal: AbortSignal) => Promise<PutEnd>
}

export type PutEnd = 'later' | { readonly problem: string | null }

export interface PendingQuestionsPorts {
  readonly actions: Pick<CallActions, 'release' | 'answerReview' | 'continueRounds'>
  readonly readCalls: CallControllerPorts['readCalls']
  readonly toolOf: (name: string) => ToolFacts | undefined
  readonly decideTogether: DecideTogether
}

/**
 * The questions for the user: waiting calls of the last reply, and results and changes of any reply that wait for
 * review.
 */
export function createPendingQuestions({ actions, readCalls, toolOf, decideTogether }: PendingQuestionsPorts) {
  function execution(board: QuestionBoard, call: MessageCall, isUrgent: boolean): PendingQuestion {
    const { reply, view } = board
    const live = view.live.get(callKey(reply.id, call.slot))
    const { name, arguments: args } = call.call
    return {
      id: `run ${isUrgent} ${live?.problem ? live.startedAt : ''} ${approvalKey(reply.id, call)}`,
      isUrgent,
      async put(ui, problem, signal) {
        const tool = toolOf(name)
        const request = {
          conversationId: view.id,
          messageId: reply.id,
          call,
          repeats: repeatsOn(board, call.slot, readCalls),
          rememberable: tool ? rememberable(tool, { name, arguments: args }) : [],
          problem,
        }
        const decision = await ui.showToolExecutionApproval(request, signal)
        return carryOut(decision, signal, () => decideTogether(reply, call, decision))
      },
    }
  }

  function gatedResult(view: ConversationState, reply: AssistantMessage, isUrgent: boolean, call: MessageCall) {
    const row = view.calls.get(callKey(reply.id, call.slot))
    if (!row?.outcome || !isGated(row)) return []
    const { outcome, by: decidedBy, attempt } = row
    const question: PendingQuestion = {
      id: `result ${attempt} ${approvalKey(reply.id, call)}`,
      isUrgent,
      async put(ui, problem, signal) {
        const request = { conversationId: view.id, messageId: reply.id, call, outcome, decidedBy, problem }
        const decision = await ui.showToolResultApproval(request, signal)
        return carryOut(decision, signal, (release) => actions.release(reply.id, call.slot, release))
      },
    }
    return [question]
  }

  function fileReview(view: ConversationState, reply: AssistantMessage, call: MessageCall): readonly PendingQuestion[] {
    const { review, attempt } = view.live.get(callKey(reply.id, call.slot)) ?? {}
    if (!review) return []
    const question: PendingQuestion = {
      id: `review ${attempt} ${approvalKey(reply.id, call)}`,
      isUrgent: true,
      async put(ui, problem, signal) {
        const request = { conversationId: view.id, messageId: reply.id, call, review, problem }
        const decision = await ui.showFileReview(request, signal)
        return carryOut(decision, signal, ({ kind }) => actions.answerReview(reply.id, call.slot, kind))
      },
    }
    return [question]
  }

  function roundsLimit({ view, config, reply }: QuestionBoard): readonly PendingQuestion[] {
    const rounds = roundsInQuestion(view.path, config)
    if (rounds === 0) return []
    const question: PendingQuestion = {
      id: `rounds ${rounds} ${roundsKey(reply.id)}`,
      isUrgent: true,
      async put(ui, problem, signal) {
        const request = { conversationId: view.id, messageId: reply.id, rounds, problem }
        const decision = await ui.showRoundsLimit(request, signal)
        return carryOut(decision, signal, ({ slots }) => actions.continueRounds(reply.id, slots))
      },
    }
    return [question]
  }

  /**
   * From any reply of the branch: a call that ran continues and is reviewed, also if the user sent another message
   * meanwhile.
   */
  function reviewQuestions(view: ConversationState, board: QuestionBoard | null): readonly PendingQuestion[] {
    const held = new Set(
      [...view.calls.values()].filter(isGated).map(({ messageId, slot }) => callKey(messageId, slot)),
    )
    for (const [key, live] of view.live) if (live.review) held.add(key)
    if (held.size === 0) return []
    return view.path.flatMap((message) => {
      if (!isHere(message) || message.role !== 'assistant' || message.outcome !== 'finished') return []
      return callsIn(view, message, readCalls)
        .filter(({ slot }) => held.has(callKey(message.id, slot)))
        .flatMap((call) => [
          ...gatedResult(view, message, message.id === board?.reply.id, call),
          ...fileReview(view, message, call),
        ])
    })
  }

  return (view: ConversationState, board: QuestionBoard | null): readonly PendingQuestion[] => {
    const waiting = board ? waitingOn(board) : []
    const undecided = board ? undecidedOn(board).map((call) => execution(board, call, waiting.includes(call))) : []
    return [...undecided, ...reviewQuestions(view, board), ...(board ? roundsLimit(board) : [])]
  }
}

/** `act` may return a sentence that says why it could not be done. */
async function carryOut<Decision extends { readonly kind: string }>(
  decision: Decision,
  signal: AbortSignal,
  act: (decision: Exclude<Decision, Later>) => Promise<string | null> | void,
): Promise<PutEnd> {
  if (signal.aborted || !isDecided(decision)) return 'later'
  return { problem: (await act(decision)) ?? null }
}

const isDecided = <Decision extends { readonly kind: string }>(
  decision: Decision,
): decision is Exclude<Decision, Later> => decision.kind !== 'later'
