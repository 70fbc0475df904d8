import { isHere } from '@/lib/shared/conversation/message-tree'
import type { AssistantMessage, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { isTurnLoaded } from '@/lib/shared/conversation/outline'
import { callKey, type ConversationState } from '@/lib/client/state/state'
import { waitingCalls, type MessageCall } from '@/lib/shared/calls/message-calls'
import { repeatsOf } from '@/lib/shared/calls/click-reasons'
import type { CallControllerPorts } from './call-ports'

type ReadCalls = CallControllerPorts['readCalls']

/** The subject of all questions: the last reply of the open conversation, with its calls in their current state. */
export interface QuestionBoard {
  readonly view: ConversationState
  readonly config: ToolCallConfig
  readonly reply: AssistantMessage
  readonly calls: readonly MessageCall[]
}

/** Null: the last message is not a reply that can be decided on. */
export function questionBoardOf(view: ConversationState, readCalls: ReadCalls): QuestionBoard | null {
  const reply = view.path.at(-1)
  if (view.phase !== 'ready' || !view.conversation || view.run || view.sending) return null
  if (!isTurnLoaded(view.path) || !isHere(reply)) return null
  if (reply.role !== 'assistant' || reply.outcome !== 'finished') return null
  return { view, config: view.conversation.settings.tools, reply, calls: callsIn(view, reply, readCalls) }
}

/** The calls of any reply, with the user's edits. */
export const callsIn = (view: ConversationState, reply: AssistantMessage, readCalls: ReadCalls) =>
  view.conversation
    ? readCalls(reply, view.conversation.settings.tools, view.amendments.get(reply.id) ?? [])
    : ([] as const)

/** How often the same call was requested since the user's last message. */
export const repeatsOn = ({ view, reply }: QuestionBoard, slot: number, readCalls: ReadCalls): number =>
  repeatsOf(view.path, (message) => callsIn(view, message, readCalls), reply.id, slot)

/** Nothing in this tab is deciding or running the call. */
const isIdle = ({ view, reply }: QuestionBoard, slot: number) =>
  view.live.get(callKey(reply.id, slot))?.problem !== null

const recordOn =
  ({ view, reply }: QuestionBoard) =>
  (slot: number) =>
    view.calls.get(callKey(reply.id, slot))

/** The runnable calls that wait for a decision and that nothing in this tab is deciding. */
export const waitingOn = (board: QuestionBoard): readonly MessageCall[] =>
  waitingCalls(board.calls, recordOn(board), board.config.maxCallsPerReply).filter(
    ({ slot, runnable }) => runnable && isIdle(board, slot),
  )

/** All calls whose cards allow a decision: those that wait, and those that can only be denied. */
export const undecidedOn = (board: QuestionBoard): readonly MessageCall[] =>
  board.calls.filter(({ slot }) => recordOn(board)(slot) === undefined && isIdle(board, slot))
