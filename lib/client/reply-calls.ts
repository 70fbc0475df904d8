import type { CallAmendment, Message, ToolCallConfig } from '@/lib/conversation/conversation'
import { toolContextBuilder } from '@/lib/strategies/tool-context-builder'
import { callsOf } from '@/lib/calls/calls-of'
import type { MessageCall } from '@/lib/calls/message-calls'
import { discoverTools } from '@/lib/tools/discovery'
import { toolRegistry } from '@/lib/tools/registry'
import { parsedReply } from './parsed-reply'
import type { ConversationState } from './state'

const none: readonly CallAmendment[] = []

export const amendmentsOf = (
  view: Pick<ConversationState, 'amendments'>,
  messageId: string,
): readonly CallAmendment[] => view.amendments.get(messageId) ?? none

/** The calls of a stored reply as they stand now, with what the user changed. */
export function replyCalls(
  message: Message | undefined,
  config: ToolCallConfig,
  amendments: readonly CallAmendment[],
): readonly MessageCall[] {
  return callsOf(message, amendments, {
    parse: (reply) => parsedReply(reply, config),
    readCall: (call) => toolContextBuilder.readCall(call, discoverTools(toolRegistry, config)),
  })
}
