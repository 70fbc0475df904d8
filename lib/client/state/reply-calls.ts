import type { AssistantMessage, CallAmendment, Message, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { messageCalls, waitingCalls, type MessageCall, isReadForCalls } from '@/lib/shared/calls/message-calls'
import { discoverTools } from '@/lib/shared/tools/discovery'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { parsedReply } from './parsed-reply'
import { callKey, type ConversationState } from './state'

const none: readonly CallAmendment[] = []

export const amendmentsOf = (
  view: Pick<ConversationState, 'amendments'>,
  messageId: string,
): readonly CallAmendment[] => view.amendments.get(messageId) ?? none

/** The calls in a reply's text as its cards show them: of one that broke off too, though none of those may run. */
export function shownCalls(
  message: AssistantMessage,
  config: ToolCallConfig,
  amendments: readonly CallAmendment[],
  toolSet: ToolSet,
): readonly MessageCall[] {
  const tools = discoverTools(toolSet, config)
  return messageCalls(parsedReply(message, config, toolSet), {
    amendments,
    read: (call) => toolContextBuilder.readCall(call, tools),
  })
}

/** The calls of a stored reply as they stand now, with what the user changed; none of one that broke off. */
export const replyCalls = (
  message: Message | undefined,
  config: ToolCallConfig,
  amendments: readonly CallAmendment[],
  toolSet: ToolSet,
): readonly MessageCall[] => (isReadForCalls(message) ? shownCalls(message, config, amendments, toolSet) : [])

/** The calls of the last reply, where it has any, and what is known of each. */
export function lastCalls(view: ConversationState, tools: ToolSet) {
  const last = view.path.at(-1)
  const config = view.conversation?.settings.tools
  if (!config || !isReadForCalls(last)) return null
  const calls = replyCalls(last, config, amendmentsOf(view, last.id), tools)
  const recordOf = (slot: number) => view.calls.get(callKey(last.id, slot))
  const liveOf = (slot: number) => view.live.get(callKey(last.id, slot))
  const records = calls.flatMap(({ slot }) => recordOf(slot) ?? [])
  return { calls, records, liveOf, waiting: waitingCalls(calls, recordOf, config.maxCallsPerReply) }
}
