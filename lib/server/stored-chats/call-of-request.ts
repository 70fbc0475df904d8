import { makeError } from '@/lib/i18n/t'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import type { DecideCall } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, CallAmendment } from '@/lib/shared/conversation/conversation'
import type { BranchPart, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { StoredConversations } from './stored-conversations'
import type { ChatServicePorts } from './chat-service-ports'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'

/** Loads a branch of a conversation, or the end of one; rejects with AppError `not-found`. */
export type LoadBranch = StoredConversations['loadBranch']

/** A reply with its calls and amendments, and what stands beside the messages of its chat. */
export const justReply = (messageId: string): BranchPart => ({ head: messageId, limit: 1 })

/** Reads the calls of replies of one conversation, with its amendments or with others in their place. */
export type CallReader = (message: AssistantMessage, amendments?: readonly CallAmendment[]) => readonly MessageCall[]

export function createCallReader(
  stored: StoredConversation,
  discoverTools: ChatServicePorts['discoverTools'],
  readings: ReplyReadings,
): CallReader {
  const tools = discoverTools(stored.conversation.settings.tools, stored.tools)
  return (message, amendments = stored.amendments) => readings.callsOf(message, tools, amendments)
}

export type CallName = Pick<DecideCall, 'messageId' | 'slot' | 'callHash'>

/**
 * The effective call that a request names; refused when it is not the one that the request means, or cannot run. A no
 * needs no call that could.
 */
export async function findCall(
  stored: StoredConversation,
  readCalls: CallReader,
  { messageId, slot, callHash: claimed }: CallName,
  isNo = false,
): Promise<{ readonly message: AssistantMessage; readonly found: MessageCall }> {
  const message = replyOf(stored, messageId)
  const found = readCalls(message).find((call) => call.slot === slot)
  if (!found || !(found.runnable || isNo)) throw makeError('call-not-open', whyNot(message, found))
  const hash = await callHash(message.id, slot, found.call.name, found.call.arguments)
  if (hash !== claimed) {
    throw makeError('conflict', 'chat.call.not-the-stored')
  }
  return { message, found }
}

export function replyOf(stored: StoredConversation, messageId: string): AssistantMessage {
  const message = stored.messages.find(({ id }) => id === messageId)
  if (message?.role !== 'assistant') throw makeError('not-found', 'chat.reply-not-here')
  return message
}

/** The reason why a call that a request names does not run. */
export function whyNot(message: AssistantMessage, call: MessageCall | undefined) {
  if (message.outcome === null) return 'chat.call.still-written'
  if (message.outcome !== 'finished') return 'chat.call.unfinished'
  if (!call) return 'chat.call.none'
  return 'chat.call.not-runnable'
}
