import type { Selectable } from 'kysely'
import type {
  AssistantMessage,
  Conversation,
  ConversationSettings,
  LogEntry,
  Message,
} from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import { withheldWithoutClick } from '@/lib/shared/conversation/stopped-outcome'
import {
  amendmentFormat,
  callFormat,
  givenOnFormat,
  logFormat,
  marksFormat,
  messageFormat,
  outcomeFormat,
  releaseFormat,
  scopeFormat,
  innerFormat,
  stoppedFormat,
  type CallColumns,
  decodeStored,
  encodeStored,
  type StoredFormat,
} from './row-formats'
import type {
  AmendmentTable,
  CallTable,
  ConversationTable,
  GrantTable,
  LogTable,
  MessageTable,
  RunTable,
} from '../ports/schema'
import type { RunRow } from '../ports/run-store'
import { placeholderMessage, placeholderOutcome, type MessagePosition } from './placeholder-rows'

// SQLite stores any value in any column, whatever the column's type.
export const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other)
export const countOr = (value: unknown, other: number): number => (Number.isSafeInteger(value) ? Number(value) : other)

/** Decodes stored settings; corrupt ones give the defaults and a sentence. */
export type DecodeSettings = (text: string) => {
  readonly settings: ConversationSettings
  readonly problem: 'damaged' | null
}

/**
 * PostgreSQL refuses NUL in text, and both databases turn lone surrogates into U+FFFD; done the same way for both,
 * here.
 */
export const cleanTitle = (title: string): string => title.replaceAll('\0', '').toWellFormed()

/** The searchable form of titles: full Unicode case folding, which the databases do not offer in the same way. */
export const foldForSearch = (text: string): string => cleanTitle(text).normalize('NFKC').toLowerCase()

/** A `like` pattern that matches `query` anywhere; wildcards in it are escaped with a backslash. */
export const containsPattern = (query: string): string =>
  `%${foldForSearch(query).replaceAll(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`

export function conversationFromRow(row: Selectable<ConversationTable>, decodeSettings: DecodeSettings): Conversation {
  const { settings, problem } = decodeSettings(row.settings)
  return {
    id: row.id,
    title: textOr(row.title, ''),
    settings,
    settingsProblem: problem,
    headId: row.head_id,
    createdAt: countOr(row.created_at, 0),
    updatedAt: countOr(row.updated_at, 0),
    ...(row.imported_at !== null && { importedAt: countOr(row.imported_at, 0) }),
    ...marksOf(row.marks),
    ...(row.temporary_until !== null && { temporary: true }),
    ...(row.project_id !== null && { project: row.project_id }),
  }
}

/** Unreadable marks are ignored: then the whole chat is sent. */
function marksOf(text: string | null): Pick<Conversation, 'marks'> {
  const marks = text === null ? undefined : decodeStored(text, marksFormat)
  return marks ? { marks } : {}
}

/** The message of a row, or a placeholder without text if it can't be read. Its own columns identify it. */
export function messageFromRow(place: MessagePosition): Message {
  const message = decodeStored(place.body, messageFormat)
  if (!message || message.role !== (place.role ?? message.role)) return placeholderMessage(place)
  const { id, conversationId } = place
  return message.id === id && message.conversationId === conversationId ? message : { ...message, id, conversationId }
}

/** The reply of a run. An unreadable one has no text. */
export const replyFromRow = (row: Pick<MessageTable, 'id' | 'conversation_id' | 'body'>): AssistantMessage =>
  messageFromRow({
    id: row.id,
    conversationId: row.conversation_id,
    body: row.body,
    before: null,
    role: 'assistant',
  }) as AssistantMessage

/** A message with the parent from its row, if the row has one; '' means none. */
const inItsPlace = (message: Message, parentId: string | null): Message =>
  parentId === null || (message.parentId ?? '') === parentId
    ? message
    : { ...message, parentId: parentId === '' ? null : parentId }

/** All messages of a conversation, in order of arrival. `writing`: the running replies. */
export function messagesFromRows(
  conversationId: string,
  rows: readonly Pick<MessageTable, 'id' | 'body' | 'parent_id'>[],
  writing: ReadonlySet<string>,
): readonly Message[] {
  const known = new Set<string>()
  let before: Message | null = null
  return rows.map(({ id, body, parent_id }) => {
    let message = inItsPlace(messageFromRow({ id, conversationId, body, before }), parent_id)
    // A child comes after its parent, so no row can create a cycle.
    if (message.parentId !== null && !known.has(message.parentId))
      message = { ...message, parentId: before?.id ?? null }
    // The log of a running reply contains all of its text; a reply without a writer has ended.
    if (message.role === 'assistant' && message.outcome === null && !writing.has(id)) {
      message = { ...message, outcome: 'interrupted', unreadable: 'part' }
    } else if (message.role === 'assistant' && message.unreadable === 'whole' && writing.has(id)) {
      message = { ...message, outcome: null }
    }
    known.add(id)
    before = message
    return message
  })
}

const textOrNull = <T extends object>(value: T | null, format: StoredFormat<T>): string | null =>
  value && encodeStored(value, format)

/** The JSON columns of a call. */
export const callJson = (call: CallRecord) => {
  const { callId, name, callHash, reason, changed, by } = call
  return {
    body: encodeStored<CallColumns>({ callId, name, callHash, reason, changed, by }, callFormat),
    outcome: textOrNull(call.outcome, outcomeFormat),
    stopped: textOrNull(call.stopped ?? null, stoppedFormat),
    inner_calls: textOrNull(call.inner ?? null, innerFormat),
    release: textOrNull(call.release, releaseFormat),
  }
}

const isDecision = (value: unknown): value is CallRecord['decision'] =>
  value === 'run' || value === 'deny' || value === 'skip'

export function callFromRow(row: Selectable<CallTable>): CallRecord {
  const unreadable: NonNullable<CallRecord['unreadable']>[number][] = []
  const read = <T>(part: (typeof unreadable)[number], text: unknown, format: StoredFormat<T>, other: T): T | null => {
    if (text === null) return null
    const value = decodeStored(text, format)
    if (value === undefined) unreadable.push(part)
    return value ?? other
  }
  const lost: CallColumns = {
    callId: '',
    name: '',
    callHash: null,
    reason: '',
    changed: null,
    by: { kind: 'unknown' },
  }
  const known = isDecision(row.decision) ? decodeStored(row.body, callFormat) : undefined
  if (!known) unreadable.push('decision')
  const decidedAt = countOr(row.decided_at, 0)
  const stopped = read('stop', row.stopped, stoppedFormat, { at: decidedAt, outcome: null })
  const inner = read('inner', row.inner_calls, innerFormat, [])
  const record = {
    messageId: row.message_id,
    slot: row.slot,
    ...(known ?? lost),
    // A call with an unreadable decision does not run.
    decision: isDecision(row.decision) ? row.decision : 'skip',
    runnerId: row.runner_id,
    attempt: countOr(row.attempt, 1),
    decidedAt,
    ...(stopped && { stopped }),
    ...(inner && { inner }),
    outcome: read('outcome', row.outcome, outcomeFormat, placeholderOutcome),
    finishedAt: row.finished_at === null ? null : countOr(row.finished_at, decidedAt),
    gated: row.gated !== 0,
    release: read('release', row.release, releaseFormat, withheldWithoutClick('unknown', 0)),
    postedIn: row.posted_in,
  } as const
  return unreadable.length === 0 ? record : { ...record, unreadable }
}

export const rowFromCall = (owner: string, conversationId: string, call: CallRecord): CallTable => ({
  owner,
  conversation_id: conversationId,
  message_id: call.messageId,
  slot: call.slot,
  decision: call.decision,
  runner_id: call.runnerId,
  attempt: call.attempt,
  ...callJson(call),
  decided_at: call.decidedAt,
  finished_at: call.finishedAt,
  gated: call.gated ? 1 : 0,
  posted_in: call.postedIn,
  relayed: null,
  relay_question: null,
})

export function amendmentFromRow(row: Selectable<AmendmentTable>): CallAmendment {
  const call = decodeStored(row.call, amendmentFormat)
  return {
    messageId: row.message_id,
    slot: row.slot,
    call: call ?? null,
    amendedAt: countOr(row.amended_at, 0),
    ...(call === undefined && { unreadable: true }),
  }
}

export function grantFromRow(row: Selectable<GrantTable>): Grant {
  const givenOn = decodeStored(row.given_on, givenOnFormat)
  return {
    id: row.id,
    // Without its time, the grant would apply to earlier replies.
    scope: (Number.isSafeInteger(row.created_at) && decodeStored(row.scope, scopeFormat)) || { kind: 'unreadable' },
    createdAt: countOr(row.created_at, 0),
    uses: countOr(row.uses, 0),
    lastUsedAt: row.last_used_at === null ? null : countOr(row.last_used_at, 0),
    revokedAt: row.revoked_at === null ? null : countOr(row.revoked_at, 0),
    ...(row.expires_at !== null && { expiresAt: countOr(row.expires_at, 0) }),
    ...(givenOn && { givenOn }),
  }
}

export function logFromRow(row: Selectable<LogTable>): LogEntry {
  const entry = decodeStored(row.body, logFormat)
  return {
    seq: row.seq,
    at: countOr(row.at, 0),
    actor: textOr(row.actor, '?'),
    event: row.event,
    messageId: row.message_id,
    slot: row.slot,
    ...(entry ?? { tool: null, detail: {}, unreadable: true }),
  }
}

export const runFromRow = (
  row: Omit<Selectable<RunTable>, 'request_id' | 'heartbeat_at' | 'ended_at' | 'events_pruned' | 'written' | 'side'> & {
    readonly silent_ms: number
  },
): RunRow => ({
  owner: row.owner,
  id: row.id,
  conversationId: row.conversation_id,
  messageId: row.message_id,
  status: row.status === 'running' ? 'running' : 'ended',
  stopRequested: row.stop_requested !== 0,
  silentMs: row.silent_ms,
  isByTab: row.writer !== null,
  process: row.process,
})

/** Most chats have the server's initial settings. */
const MAX_KNOWN = 200
const MAX_CHARS = 4_000

/**
 * The same, but does not check known texts again: a reply reads the settings of its chat several times. Invalid texts
 * are not cached, because their replacement may change.
 */
export function decodeOnce(decode: DecodeSettings): DecodeSettings {
  const known = new Map<string, ReturnType<DecodeSettings>>()
  return (text) => {
    const found = known.get(text)
    if (found) return found
    const decoded = decode(text)
    if (decoded.problem !== null || text.length > MAX_CHARS) return decoded
    const [oldest] = known.keys()
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(text, decoded)
    return decoded
  }
}
