import type { RegisteredTool } from '../settings/registered-tool'
import type { CallAmendment, CallRecord, Conversation, LogEntry, Message, MessageImage } from '../conversation'

/** An export as the rows of a new conversation. */
export interface ImportedConversation {
  readonly conversation: Conversation
  /** Parents before their answers. */
  readonly messages: readonly Message[]
  /** By the id of their reply: how many of its calls can be decided or were; left out: none. */
  readonly runnableCalls: ReadonlyMap<string, number>
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  /** Tools of its own, to read its calls by. */
  readonly tools: readonly RegisteredTool[]
  readonly images: readonly MessageImage[]
  /** As it stood in the export. */
  readonly log: readonly LogEntry[]
  readonly exportedAt: number
  /** Left out: none. */
  readonly tags?: readonly string[]
}
