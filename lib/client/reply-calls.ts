import type { AssistantMessage, CallAmendment, ToolCallConfig } from '@/lib/conversation/conversation'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { messageCalls, type MessageCall } from '@/lib/calls/message-calls'
import { discoverTools } from '@/lib/tools/discovery'
import type { ToolSet } from '@/lib/tools/tool-registry'
import { parsedReply } from './parsed-reply'
import type { ConversationState } from './state'

const none: readonly CallAmendment[] = []

export const amendmentsOf = (
  view: Pick<ConversationState, 'amendments'>,
  messageId: string,
): readonly CallAmendment[] => view.amendments.get(messageId) ?? none

/** The calls of a stored reply as they stand now, with what the user changed. */
export function replyCalls(
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
