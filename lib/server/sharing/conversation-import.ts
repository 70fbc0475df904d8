import type { CallSegment } from '@/lib/protocols/types/segment'
import { callHash } from '@/lib/shared/calls/call-hash'
import { isPromotedSlot, needsDecision, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, ConversationSettings, Message } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, ToolResult } from '@/lib/shared/conversation/call-record'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import type { ImportedConversation } from '@/lib/shared/conversation/wire/import-settings'
import { withheldWithoutClick } from '@/lib/shared/conversation/stopped-outcome'
import { newestLeafOfTree, treeOf } from '@/lib/shared/conversation/message-tree'
import { makeError, type KeyOf } from '@/lib/i18n/t'
import { hasText } from '@/lib/shared/conversation/outline'

/** Why an exported chat is invalid; anyone may have written it. */
type ImportReason = KeyOf<'chat.import'>

/** Throws AppError `bad-request`. */
const refuseImport = (reason: ImportReason): never => {
  throw makeError('bad-request', reason)
}

/**
 * Checks that the parts of an export belong together. Each message answers an earlier one, so there are no cycles; user
 * and assistant alternate; calls, results and pictures belong to messages that have them, each once.
 */
export function checkImport({ conversation, messages, calls, amendments, images = [] }: ConversationExport): void {
  const byId = new Map<string, Message>()
  for (const message of messages) {
    if (byId.has(message.id)) refuseImport('chat.import.same-id')
    checkPlace(message, message.parentId === null ? null : byId.get(message.parentId), byId)
    byId.set(message.id, message)
  }
  if (conversation.headId !== null && !byId.has(conversation.headId)) refuseImport('chat.import.head-missing')

  const answered = new Set(
    messages.flatMap((message) =>
      message.role === 'user' ? message.results.map((one) => answerKey(message.id, one.messageId, one.slot)) : [],
    ),
  )
  const calledOnce = onceEach('chat.import.decided-twice')
  for (const { messageId, slot, postedIn } of calls) {
    const reply = byId.get(messageId)
    if (reply?.role !== 'assistant' || reply.outcome !== 'finished') refuseImport('chat.import.call-without-reply')
    calledOnce(`${messageId}:${slot}`)
    if (postedIn !== null && !answered.has(answerKey(postedIn, messageId, slot))) {
      refuseImport('chat.import.result-in-no-answer')
    }
  }
  const amendedOnce = onceEach('chat.import.changed-twice')
  for (const { messageId, slot } of amendments) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('chat.import.change-without-reply')
    amendedOnce(`${messageId}:${slot}`)
  }
  const picturedOnce = onceEach('chat.import.two-pictures')
  for (const { messageId, number } of images) {
    const message = byId.get(messageId)
    if (message?.role !== 'user' || message.attachments?.[number]?.isImage !== true) {
      refuseImport('chat.import.picture-without-file')
    }
    picturedOnce(`${messageId}:${number}`)
  }
}

function checkPlace(message: Message, parent: Message | null | undefined, byId: ReadonlyMap<string, Message>): void {
  if (parent === undefined) return refuseImport('chat.import.message-before-its-parent')
  if (message.role === 'assistant') {
    if (parent?.role !== 'user') refuseImport('chat.import.reply-without-message')
    return
  }
  if (!hasText(message) && message.results.length === 0 && message.unreadable === undefined) {
    refuseImport('chat.import.empty-message')
  }
  for (const { messageId } of message.late ?? []) {
    if (byId.get(messageId)?.role !== 'assistant') refuseImport('chat.import.late-without-reply')
  }
  const answeredOnce = onceEach('chat.import.two-results')
  for (const { messageId, slot } of message.results) {
    if (messageId !== parent?.id) refuseImport('chat.import.result-without-call')
    answeredOnce(String(slot))
  }
}

const answerKey = (takenIn: string, messageId: string, slot: number): string =>
  JSON.stringify([takenIn, messageId, slot])

/** Refuses duplicates. */
function onceEach(why: ImportReason): (key: string) => void {
  const seen = new Set<string>()
  return (key) => {
    if (seen.has(key)) refuseImport(why)
    seen.add(key)
  }
}

export interface ImportPorts {
  readonly newId: () => string
  readonly now: number
  /** The calls of a finished reply with the user's amendments. */
  readonly readCalls: (message: AssistantMessage, amendments: readonly CallAmendment[]) => readonly MessageCall[]
  /** Yields to other work: reading a reply takes time, and there may be thousands. */
  readonly breathe: () => Promise<void>
}

/** The runner of calls that were running at the export: none, so they show as interrupted. */
const NOBODY = 'imported'

const CALLS_BETWEEN_BREATHS = 100

/**
 * Creates a new conversation from an export, with the settings that the user accepted: new ids, the same tree, order,
 * decisions and results. It must not import permissions: calls wait for clicks, no grants and no tool rules are
 * imported, and a result that no model has seen waits for review. Rejects with AppError `bad-request` if the parts
 * don't belong together.
 */
export async function planImport(
  id: string,
  exported: ConversationExport,
  settings: ConversationSettings,
  ports: ImportPorts,
): Promise<ImportedConversation> {
  checkImport(exported)
  const { conversation, images = [], tools = [], log, tags = [] } = exported
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
    // A reply that was being written has no writer here.
    return {
      ...message,
      ...base,
      ...heldElsewhere(message),
      outcome: message.outcome ?? 'interrupted',
      runId: ports.newId(),
    }
  })
  const amendments = exported.amendments.map((one) => ({ ...one, messageId: newIdOf(one.messageId) }))
  const replies = await readReplies(
    messages,
    amendments,
    exported.calls.map(({ messageId, slot }) => ({ messageId: newIdOf(messageId), slot })),
    ports,
  )

  const unfinished = new Set(
    exported.messages.flatMap((message) =>
      message.role === 'user'
        ? message.results.flatMap(({ messageId, slot, status }) =>
            status === 'unfinished' ? [`${messageId}:${slot}`] : [],
          )
        : [],
    ),
  )
  /** The next message would send its outcome, so it is withheld instead. */
  const isOpenEnd = ({ messageId, slot, outcome }: CallRecord) =>
    outcome !== null && unfinished.has(`${messageId}:${slot}`)
  const calls: CallRecord[] = []
  for (const [index, call] of exported.calls.entries()) {
    if (index % CALLS_BETWEEN_BREATHS === 0) await ports.breathe()
    const messageId = newIdOf(call.messageId)
    const asked = replies.asked.get(messageId)?.get(call.slot)
    if (!asked && !isPromotedSlot(call.slot)) refuseImport('chat.import.decision-without-call')
    const decided = call.changed ?? (asked?.name === call.name ? asked : undefined)
    const postedIn = nullable(call.postedIn)
    // An export can't prove a call's result: unless it was already sent, the user must review it first.
    const mustBeSeen = call.outcome !== null && call.decision === 'run' && postedIn === null
    // Code that runs again would get these results as if they were true.
    const { inner, ...rest } = call
    calls.push({
      ...rest,
      ...(inner && call.outcome !== null && { inner }),
      messageId,
      postedIn,
      callHash:
        decided && call.callHash !== null
          ? await callHash(messageId, call.slot, decided.name, decided.arguments)
          : call.callHash,
      runnerId: call.runnerId === null ? null : NOBODY,
      ...(mustBeSeen && { gated: true, release: null }),
      ...(isOpenEnd(call) && { gated: true, release: withheldWithoutClick('imported', ports.now) }),
      // Otherwise one click would send the claimed output of a stopped run without review.
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
      headId: head === null ? null : newestLeafOfTree(treeOf(messages), head),
      createdAt: Math.min(conversation.createdAt, ports.now),
      updatedAt: ports.now,
      importedAt: ports.now,
      ...(conversation.marks && { marks: marksOf(conversation.marks, ids) }),
    },
    messages,
    runnableCalls: replies.runnable,
    calls,
    amendments,
    tools,
    images: images.map((image) => ({ ...image, messageId: newIdOf(image.messageId) })),
    log: log.map((entry) => ({ ...entry, messageId: nullable(entry.messageId) })),
    exportedAt: exported.exportedAt,
    ...(tags.length > 0 && { tags }),
  }
}

/** Removes the claim that a server used constrained decoding for the reply, because this server can't confirm it. */
const heldElsewhere = ({ exact }: AssistantMessage): Pick<AssistantMessage, 'exact'> =>
  exact?.is === 'honoured' ? { exact: { ...exact, is: 'asked' } } : {}

/**
 * Reads every reply once, however many rows belong to it: reading takes time in proportion to the reply's length, and
 * both come from outside.
 */
async function readReplies(
  messages: readonly Message[],
  amendments: readonly CallAmendment[],
  decisions: readonly { readonly messageId: string; readonly slot: number }[],
  ports: ImportPorts,
) {
  const amendmentsOf = Map.groupBy(amendments, ({ messageId }) => messageId)
  const decidedOf = Map.groupBy(decisions, ({ messageId }) => messageId)
  const asked = new Map<string, ReadonlyMap<number, CallSegment>>()
  const runnable = new Map<string, number>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    await ports.breathe()
    const read = ports.readCalls(message, amendmentsOf.get(message.id) ?? [])
    const decided = new Set(decidedOf.get(message.id)?.map(({ slot }) => slot))
    asked.set(message.id, new Map(read.map(({ slot, call }) => [slot, call])))
    runnable.set(message.id, read.filter((call) => needsDecision(call) || decided.has(call.slot)).length)
  }
  return { asked, runnable }
}

/** Keeps only marks of messages that exist. */
const marksOf = ({ compactions, pinned }: ContextMarks, ids: ReadonlyMap<string, string>): ContextMarks => ({
  compactions: compactions.flatMap((one) => {
    const through = ids.get(one.through)
    return through === undefined ? [] : [{ ...one, through }]
  }),
  pinned: pinned.flatMap((old) => ids.get(old) ?? []),
})

const resultsOf = (results: readonly ToolResult[], newIdOf: (old: string) => string): readonly ToolResult[] =>
  results.map((result) => ({ ...result, messageId: newIdOf(result.messageId) }))
