import type { Selectable } from 'kysely'
import type {
  CallAmendment,
  CallOutcome,
  CallRecord,
  Conversation,
  ConversationSettings,
  Grant,
  GrantScope,
  LogEntry,
  Message,
  ResultRelease,
  StoppedRun,
} from '@/lib/conversation/conversation'
import { messageOfStored } from '@/lib/conversation/stored-results'
import type { AmendmentTable, CallTable, ConversationTable, GrantTable, LogTable, RunTable } from './schema'
import type { RunRow } from './store'

/** Reads stored settings; corrupt ones give defaults and a sentence. */
export type DecodeSettings = (text: string) => {
  readonly settings: ConversationSettings
  readonly problem: string | null
}

/** PostgreSQL refuses NUL in text, and both databases turn lone surrogates into U+FFFD; do it alike, here. */
export const cleanTitle = (title: string): string => title.replaceAll('\0', '').toWellFormed()

/** The form in which titles are searched: full Unicode case folding, which neither database offers alike. */
export const foldForSearch = (text: string): string => cleanTitle(text).normalize('NFKC').toLowerCase()

/** A `like` pattern that finds `query` anywhere; its own wildcards are escaped with a backslash. */
export const containsPattern = (query: string): string =>
  `%${foldForSearch(query).replaceAll(/[\\%_]/g, (wildcard) => `\\${wildcard}`)}%`

export function conversationFromRow(row: Selectable<ConversationTable>, decodeSettings: DecodeSettings): Conversation {
  const { settings, problem } = decodeSettings(row.settings)
  return {
    id: row.id,
    title: row.title,
    settings,
    settingsProblem: problem,
    headId: row.head_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.imported_at !== null && { importedAt: row.imported_at }),
  }
}

export const messageFromBody = (body: string): Message => messageOfStored(JSON.parse(body) as Message)

type CallBody = Pick<CallRecord, 'callId' | 'name' | 'callHash' | 'reason' | 'changed' | 'by'>

export const callBody = ({ callId, name, callHash, reason, changed, by }: CallRecord): string =>
  JSON.stringify({ callId, name, callHash, reason, changed, by } satisfies CallBody)

export const outcomeText = (outcome: CallOutcome | null): string | null => outcome && JSON.stringify(outcome)

export const releaseText = (release: ResultRelease | null): string | null => release && JSON.stringify(release)

export const stoppedText = (stopped: StoppedRun | null): string | null => stopped && JSON.stringify(stopped)

export const stoppedFromText = (text: string | null): StoppedRun | null =>
  text === null ? null : (JSON.parse(text) as StoppedRun)

export const callFromRow = (row: Selectable<CallTable>): CallRecord => ({
  messageId: row.message_id,
  slot: row.slot,
  // Rows that were stored before calls could be changed are clicks on what was asked.
  ...({ changed: null, by: { kind: 'click' }, ...(JSON.parse(row.body) as object) } as CallBody),
  decision: row.decision,
  runnerId: row.runner_id,
  attempt: row.attempt,
  decidedAt: row.decided_at,
  ...(row.stopped !== null && { stopped: JSON.parse(row.stopped) as StoppedRun }),
  outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as CallOutcome),
  finishedAt: row.finished_at,
  gated: row.gated !== 0,
  release: row.release === null ? null : (JSON.parse(row.release) as ResultRelease),
  postedIn: row.posted_in,
})

export const rowFromCall = (conversationId: string, call: CallRecord): CallTable => ({
  conversation_id: conversationId,
  message_id: call.messageId,
  slot: call.slot,
  decision: call.decision,
  runner_id: call.runnerId,
  attempt: call.attempt,
  body: callBody(call),
  decided_at: call.decidedAt,
  outcome: outcomeText(call.outcome),
  stopped: stoppedText(call.stopped ?? null),
  finished_at: call.finishedAt,
  gated: call.gated ? 1 : 0,
  release: releaseText(call.release),
  posted_in: call.postedIn,
})

export const amendmentFromRow = (row: Selectable<AmendmentTable>): CallAmendment => ({
  messageId: row.message_id,
  slot: row.slot,
  call: JSON.parse(row.call) as CallAmendment['call'],
  amendedAt: row.amended_at,
})

export const grantFromRow = (row: Selectable<GrantTable>): Grant => ({
  id: row.id,
  scope: JSON.parse(row.scope) as GrantScope,
  createdAt: row.created_at,
  uses: row.uses,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
  ...(row.expires_at !== null && { expiresAt: row.expires_at }),
  ...(row.given_on !== null && { givenOn: JSON.parse(row.given_on) as NonNullable<Grant['givenOn']> }),
})

export const logFromRow = (row: Selectable<LogTable>): LogEntry => ({
  seq: row.seq,
  at: row.at,
  actor: row.actor,
  event: row.event,
  messageId: row.message_id,
  slot: row.slot,
  ...(JSON.parse(row.body) as Pick<LogEntry, 'tool' | 'detail'>),
})

export const runFromRow = (row: Selectable<RunTable> & { readonly silent_ms: number }): RunRow => ({
  id: row.id,
  conversationId: row.conversation_id,
  messageId: row.message_id,
  status: row.status,
  stopRequested: row.stop_requested !== 0,
  silentMs: row.silent_ms,
})
