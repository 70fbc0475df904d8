import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import type { AssistantMessage, CallAmendment } from '@/lib/shared/conversation/conversation'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { messageCalls, type MessageCall, type ReadWrittenCall } from './message-calls'

/**
 * The law of reading: a reply is read for calls when it ended by itself and was made with tools, and no other is, whoever
 * reads it. One that is still written, broke off, was stopped, or was only ever words holds none, whatever its text says.
 */
export const isReadForCalls = (message: ChatRow | undefined): message is AssistantMessage =>
  isHere(message) && message.role === 'assistant' && message.outcome === 'finished' && message.toolsEnabled

/** How the calls in a reply's text are read: by the server and by the browser, each with its own memory of what it read. */
export interface CallReading {
  /** The whole text as its own strategy reads it; asked only of a reply that is read for calls. */
  readonly parse: (message: AssistantMessage) => ParsedReply
  /** A call that the user wrote in place of one of the model's. */
  readonly readCall: ReadWrittenCall
}

/** The calls of a stored reply as they stand, with what the user made of them; [] where the law reads none. */
export function callsOf(
  message: ChatRow | undefined,
  amendments: readonly CallAmendment[],
  { parse, readCall }: CallReading,
): readonly MessageCall[] {
  return isReadForCalls(message) ? messageCalls(parse(message), { amendments, read: readCall }) : []
}
