import { sql, type Kysely } from 'kysely'
import { isJsonObject } from '@/lib/base/json'
import type { MessageKind } from '@/lib/conversation/outline'

interface Chat {
  readonly owner: string
  readonly conversation_id: string
}

interface OldMessage {
  readonly id: string
  readonly seq: number
  readonly body: string
}

/** Rows of one statement; a body may be megabytes. */
const ROWS = 200

/**
 * Whose each message is, and whether it says something, which only its JSON said before. A row that can't be read stays
 * without: whoever lists it looks into it.
 */
export async function sayKinds(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('messages').addColumn('kind', 'text').execute()
  const { rows: chats } = await sql<Chat>`select distinct owner, conversation_id from messages`.execute(db)
  for (const chat of chats) await fillChat(db, chat)
}

async function fillChat(db: Kysely<unknown>, { owner, conversation_id }: Chat): Promise<void> {
  for (let after: number | null = 0; after !== null;) {
    const { rows }: { readonly rows: readonly OldMessage[] } = await sql<OldMessage>`
      select id, seq, body from messages where owner = ${owner} and conversation_id = ${conversation_id} and seq > ${after}
      order by seq limit ${ROWS}`.execute(db)
    for (const kind of kinds) {
      const ids = rows.filter(({ body }) => kindIn(body) === kind).map(({ id }) => id)
      if (ids.length === 0) continue
      await sql`
        update messages set kind = ${kind}
        where owner = ${owner} and conversation_id = ${conversation_id} and id in (${sql.join(ids)})`.execute(db)
    }
    after = rows.length < ROWS ? null : (rows.at(-1)?.seq ?? null)
  }
}

const kinds: readonly MessageKind[] = ['a', 'u', 'r']

function kindIn(body: string): MessageKind | null {
  const value = parsed(body)
  if (!isJsonObject(value)) return null
  if (value['role'] === 'assistant') return 'a'
  if (value['role'] !== 'user' || typeof value['text'] !== 'string') return null
  const files = value['attachments']
  return value['text'] !== '' || (Array.isArray(files) && files.length > 0) ? 'u' : 'r'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
