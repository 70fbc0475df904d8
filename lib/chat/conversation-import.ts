import type { JsonObject } from '@/lib/base/json'
import type { MessageCall } from '@/lib/tool-calls/message-calls'
import type { ConversationExport } from './api-types'
import type {
  AssistantMessage,
  CallAmendment,
  CallRecord,
  Conversation,
  ConversationSettings,
  LogEntry,
  Message,
  MessageImage,
  ToolResult,
} from './conversation'
import { leftBehind } from './left-behind'
import { checkImport } from './import-checks'
import { newestLeaf } from './message-path'

/** An export as the rows of a new conversation. */
export interface ImportedConversation {
  readonly conversation: Conversation
  /** Parents before their answers. */
  readonly messages: readonly Message[]
  readonly calls: readonly CallRecord[]
  readonly amendments: readonly CallAmendment[]
  readonly images: readonly MessageImage[]
  /** As it stood in the export. */
  readonly log: readonly LogEntry[]
  readonly exportedAt: number
}

export interface ImportPorts {
  readonly newId: () => string
  readonly now: number
  readonly callHash: (messageId: string, slot: number, name: string, args: JsonObject) => Promise<string>
  /** The calls of a finished reply, as they stand with what the user made of them. */
  readonly readCalls: (message: AssistantMessage, amendments: readonly CallAmendment[]) => readonly MessageCall[]
}

/** Who runs the calls that were running when the chat was exported: nobody, so they show as interrupted. */
const NOBODY = 'imported'

/**
 * Makes a conversation of its own out of an export, with the settings that the person let in: new ids, the same tree, order, decisions and results. What it must not
 * bring along are powers: calls wait for clicks, no remembered answer and no rule of a tool comes with it, and a result
 * that no model has seen waits for a look. Rejects with AppError `bad-request` when the parts don't belong together.
 */
export async function planImport(
  id: string,
  exported: ConversationExport,
  settings: ConversationSettings,
  ports: ImportPorts,
): Promise<ImportedConversation> {
  checkImport(exported)
  const { conversation, images = [], log } = exported
  const ids = new Map(exported.messages.map((message) => [message.id, ports.newId()]))
  const newIdOf = (old: string): string => ids.get(old) ?? ''
  const nullable = (old: string | null): string | null => (old === null ? null : (ids.get(old) ?? null))

  const messages = exported.messages.map((message): Message => {
    const base = { id: newIdOf(message.id), conversationId: id, parentId: nullable(message.parentId) }
    if (message.role === 'user') {
      const { results, late } = message
      return {
        ...message,
        ...base,
        results: resultsOf(results, newIdOf),
        ...(late && { late: resultsOf(late, newIdOf) }),
      }
    }
    // A reply that was being written is written by nobody here.
    return { ...message, ...base, outcome: message.outcome ?? 'interrupted', runId: ports.newId() }
  })
  const amendments = exported.amendments.map((one) => ({ ...one, messageId: newIdOf(one.messageId) }))
  const byId = new Map(messages.map((message) => [message.id, message]))

  const unfinished = new Set(
    exported.messages.flatMap((message) =>
      message.role === 'user'
        ? message.results.flatMap(({ messageId, slot, status }) =>
            status === 'unfinished' ? [`${messageId}:${slot}`] : [],
          )
        : [],
    ),
  )
  /** Its outcome would be told with the next message: it stays here instead. */
  const isOpenEnd = ({ messageId, slot, outcome }: CallRecord) =>
    outcome !== null && unfinished.has(`${messageId}:${slot}`)
  const calls: CallRecord[] = []
  for (const call of exported.calls) {
    const messageId = newIdOf(call.messageId)
    const message = byId.get(messageId)
    const mine = amendments.filter((one) => one.messageId === messageId)
    const read = message?.role === 'assistant' ? ports.readCalls(message, mine) : []
    const asked = read.find(({ slot }) => slot === call.slot)?.call
    const decided = call.changed ?? (asked?.name === call.name ? asked : undefined)
    const postedIn = nullable(call.postedIn)
    // Nothing proves what an export says that a call gave: unless it is history already, the user looks at it first.
    const mustBeSeen = call.outcome !== null && call.decision === 'run' && postedIn === null
    calls.push({
      ...call,
      messageId,
      postedIn,
      callHash:
        decided && call.callHash !== ''
          ? await ports.callHash(messageId, call.slot, decided.name, decided.arguments)
          : call.callHash,
      runnerId: call.runnerId === null ? null : NOBODY,
      ...(mustBeSeen && { gated: true, release: null }),
      ...(isOpenEnd(call) && { gated: true, release: leftBehind(ports.now) }),
      // What a stopped run is said to have given would go to the model with one click, unseen.
      ...(call.stopped && { stopped: { ...call.stopped, outcome: null } }),
    })
  }

  const head = nullable(conversation.headId) ?? messages.at(-1)?.id ?? null
  return {
    conversation: {
      id,
      title: conversation.title,
      settings,
      settingsProblem: null,
      headId: head === null ? null : newestLeaf(messages, head),
      createdAt: Math.min(conversation.createdAt, ports.now),
      updatedAt: ports.now,
      importedAt: ports.now,
    },
    messages,
    calls,
    amendments,
    images: images.map((image) => ({ ...image, messageId: newIdOf(image.messageId) })),
    log: log.map((entry) => ({ ...entry, messageId: nullable(entry.messageId) })),
    exportedAt: exported.exportedAt,
  }
}

const resultsOf = (results: readonly ToolResult[], newIdOf: (old: string) => string): readonly ToolResult[] =>
  results.map((result) => ({ ...result, messageId: newIdOf(result.messageId) }))
