import { sql, type Kysely } from 'kysely'
import { isJsonObject } from '@/lib/base/json'

interface Chat {
  readonly owner: string
  readonly conversation_id: string
}

interface OldMessage {
  readonly id: string
  readonly seq: number
  readonly body: string
}

interface Place {
  readonly id: string
  readonly parentId: string
  readonly depth: number
  readonly openEnds: number
  readonly hasEnded: boolean
}

/** Rows of one statement; a body may be megabytes, and SQLite takes 32,766 parameters. */
const ROWS = 200

/** Where each message stands in its line, which only its JSON said before. */
export async function sayPlaces(db: Kysely<unknown>): Promise<void> {
  for (const [column, type] of [
    ['parent_id', 'text'],
    ['depth', 'bigint'],
    ['open_ends', 'bigint'],
    ['stamp', 'text'],
  ] as const) {
    await db.schema.alterTable('messages').addColumn(column, type).execute()
  }
  const { rows: chats } = await sql<Chat>`
    select distinct owner, conversation_id from messages`.execute(db)
  for (const chat of chats) await fillChat(db, chat)
  await sql`create index messages_parent on messages (owner, conversation_id, parent_id)`.execute(db)
}

async function fillChat(db: Kysely<unknown>, chat: Chat): Promise<void> {
  const places = new Map<string, Place>()
  let before: string | null = null
  let after = 0
  for (;;) {
    const { rows } = await sql<OldMessage>`
      select id, seq, body from messages
      where owner = ${chat.owner} and conversation_id = ${chat.conversation_id} and seq > ${after}
      order by seq limit ${ROWS}`.execute(db)
    const found: Place[] = []
    for (const { id, body } of rows) {
      const { parentId, openEnds, hasEnded } = readPlace(body, before)
      // An answer stands behind what it answers, as whoever reads these rows holds it.
      const parent = parentId === null ? null : (places.get(parentId) ?? (before === null ? null : places.get(before)))
      const place: Place = {
        id,
        parentId: parent?.id ?? '',
        depth: (parent?.depth ?? 0) + 1,
        openEnds: (parent?.openEnds ?? 0) + openEnds,
        hasEnded,
      }
      places.set(id, place)
      found.push(place)
      before = id
    }
    if (found.length > 0) await write(db, chat, found)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS) return
    after = last.seq
  }
}

const write = (db: Kysely<unknown>, chat: Chat, places: readonly Place[]) => {
  const column = (values: (place: Place) => string | number | null, type: string) =>
    sql`case id ${sql.join(
      places.map((place) => sql`when ${place.id} then cast(${values(place)} as ${sql.raw(type)})`),
      sql` `,
    )} end`
  return sql`
    update messages set
      parent_id = ${column(({ parentId }) => parentId, 'text')},
      depth = ${column(({ depth }) => depth, 'bigint')},
      open_ends = ${column(({ openEnds }) => openEnds, 'bigint')},
      stamp = ${column(({ hasEnded }) => (hasEnded ? FIRST : null), 'text')}
    where owner = ${chat.owner} and conversation_id = ${chat.conversation_id} and id in (${sql.join(places.map(({ id }) => id))})`.execute(
    db,
  )
}

/** No row that is written from now on bears it. */
const FIRST = 'first'

const PARENT = /"parentId":(?:"([A-Za-z0-9_-]{1,100})"|null)/

/** From a body that may be damaged: then what is left of it, else the message before it. */
function readPlace(
  body: string,
  before: string | null,
): Pick<Place, 'openEnds' | 'hasEnded'> & { readonly parentId: string | null } {
  const value = parsed(body)
  if (isJsonObject(value) && (typeof value['parentId'] === 'string' || value['parentId'] === null)) {
    const results = Array.isArray(value['results']) ? value['results'] : []
    const late = Array.isArray(value['late']) ? value['late'] : []
    const open = results.filter((one) => isJsonObject(one) && one['status'] === 'unfinished')
    const hasEnded = value['role'] === 'user' || typeof value['outcome'] === 'string'
    return { parentId: value['parentId'], openEnds: open.length + late.length, hasEnded }
  }
  const left = PARENT.exec(body)
  return { parentId: left ? (left[1] ?? null) : before, openEnds: 0, hasEnded: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
