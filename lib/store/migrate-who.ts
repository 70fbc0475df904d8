import type { Kysely } from 'kysely'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import type { LogEntry } from '@/lib/conversation/conversation'
import { entriesOfOld, releaseOfOld, statusOfOld, type KeptMoments, type OldRelease } from '@/lib/conversation/old-rows'
import { secondCallBody } from './row-formats'

/** The columns that this step reads and writes, as they were then. */
interface Tables {
  conversations: { id: string; imported_at: number | null }
  messages: { conversation_id: string; id: string; body: string }
  calls: {
    conversation_id: string
    message_id: string
    slot: number
    decision: string
    body: string
    stopped: string | null
    release: string | null
    finished_at: number | null
    posted_in: string | null
  }
  log: {
    conversation_id: string
    seq: number
    at: number
    event: LogEntry['event']
    message_id: string | null
    slot: number | null
    body: string
  }
}

/**
 * Rows said who decided and who kept a result by an empty hash, a sentence, or not at all: from here on they have fields for
 * it. What can't be read stays as it is. One conversation at a time, so that a large database needs no large memory.
 */
export async function sayWho(database: Kysely<unknown>): Promise<void> {
  const db = database as Kysely<Tables>
  const conversations = await db.selectFrom('conversations').select(['id', 'imported_at']).execute()
  for (const { id, imported_at: importedAt } of conversations) {
    await tellCalls(db, id, importedAt)
    await tellLog(db, id)
    await tellResults(db, id)
  }
}

async function tellCalls(db: Kysely<Tables>, conversationId: string, importedAt: number | null): Promise<void> {
  const calls = await db.selectFrom('calls').selectAll().where('conversation_id', '=', conversationId).execute()
  for (const row of calls) {
    const { message_id, slot, posted_in, finished_at } = row
    const body = objectOf(row.body)
    const cancelled = row.decision === 'run' && objectOf(row.stopped)?.['begun'] === false
    const release = objectOf(row.release)
    const postedAt = release && posted_in !== null ? await writtenAt(db, conversationId, posted_in) : null
    const moments: KeptMoments = { postedAt, cameLateAt: posted_in === null ? null : finished_at, importedAt }
    const changes = {
      ...(body && { body: JSON.stringify({ v: 2, ...secondCallBody(body, cancelled) }) }),
      ...(release && { release: JSON.stringify({ v: 2, ...releaseOfOld(release as unknown as OldRelease, moments) }) }),
    }
    if (Object.keys(changes).length === 0) continue
    await db
      .updateTable('calls')
      .set(changes)
      .where('conversation_id', '=', conversationId)
      .where('message_id', '=', message_id)
      .where('slot', '=', slot)
      .execute()
  }
}

async function writtenAt(db: Kysely<Tables>, conversationId: string, messageId: string): Promise<number | null> {
  const row = await db
    .selectFrom('messages')
    .select('body')
    .where('conversation_id', '=', conversationId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  const at = objectOf(row?.body ?? null)?.['createdAt']
  return typeof at === 'number' ? at : null
}

async function tellLog(db: Kysely<Tables>, conversationId: string): Promise<void> {
  const rows = await db
    .selectFrom('log')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('event', 'in', ['call-decided', 'call-stopped', 'call-finished', 'result-released', 'results-sent'])
    .orderBy('seq')
    .execute()
  const entries = rows.flatMap((row) => {
    const body = objectOf(row.body)
    const detail = body?.['detail']
    return detail !== undefined && isJsonObject(detail) ? [{ ...row, messageId: row.message_id, body, detail }] : []
  })
  for (const [at, entry] of entriesOfOld(entries).entries()) {
    if (entry === entries[at]) continue
    await db
      .updateTable('log')
      .set({ body: JSON.stringify({ ...entry.body, detail: entry.detail }) })
      .where('conversation_id', '=', conversationId)
      .where('seq', '=', entry.seq)
      .execute()
  }
}

/** Results that were told as `denied` say whether the call ran. */
async function tellResults(db: Kysely<Tables>, conversationId: string): Promise<void> {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'body'])
    .where('conversation_id', '=', conversationId)
    .where('body', 'like', '%"status":"denied"%')
    .execute()
  for (const { id, body } of rows) {
    const message = objectOf(body)
    if (message?.['role'] !== 'user') continue
    const told = Object.fromEntries(
      (['results', 'late'] as const).flatMap((name) => (name in message ? [[name, today(message[name])]] : [])),
    )
    await db
      .updateTable('messages')
      .set({ body: JSON.stringify({ ...message, ...told }) })
      .where('conversation_id', '=', conversationId)
      .where('id', '=', id)
      .execute()
  }
}

const today = (results: unknown): unknown =>
  Array.isArray(results)
    ? results.map((one: unknown) =>
        isJsonObject(one) && one['status'] === 'denied'
          ? { ...one, status: statusOfOld('denied', one['result'] ?? null) }
          : one,
      )
    : results

function objectOf(text: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
