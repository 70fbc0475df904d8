import { sql, type RawBuilder, type CompiledQuery, type Insertable, type Kysely } from 'kysely'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { MessageTable, Schema, RunEventTable, RunTable } from '../ports/schema'
import { type DatabaseTime, keepStatementPlan, keepWritePlan } from '../database/database-time'
import type { RunKey } from '../ports/run-store'

/*
 * A branch is what a model is sent: a message, its parent, and so on up to the beginning of the chat. The position of a
 * message in its branch is kept in columns, so that the end of a long chat can be read without the rest.
 */

/** The columns with the position of a message. */
export type LineagePosition = Pick<MessageTable, 'parent_id' | 'depth' | 'open_ends'>

/** The `parent_id` of a message without a parent. */
export const NO_PARENT = ''

/** The number of `unfinished` results, plus the outcomes that were sent later. */
export const openEndsOf = (message: Message): number =>
  message.role === 'user'
    ? message.results.filter(({ status }) => status === 'unfinished').length + (message.late?.length ?? 0)
    : 0

export const unknownLineage: LineagePosition = { parent_id: null, depth: null, open_ends: null }

/** The position of a message after its parent; `undefined`: it has no parent. An unknown position stays unknown. */
export function lineageAfter(message: Message, parent: LineagePosition | undefined): LineagePosition {
  const own = openEndsOf(message)
  if (message.parentId === null) return { parent_id: NO_PARENT, depth: 1, open_ends: own }
  const { depth, open_ends } = parent ?? unknownLineage
  return {
    parent_id: message.parentId,
    depth: depth === null ? null : depth + 1,
    open_ends: depth === null || open_ends === null ? null : open_ends + own,
  }
}

/** The positions of many messages, parents before their children. */
export function lineageOf(messages: readonly Message[]): ReadonlyMap<string, LineagePosition> {
  const places = new Map<string, LineagePosition>()
  for (const message of messages) {
    places.set(message.id, lineageAfter(message, message.parentId === null ? undefined : places.get(message.parentId)))
  }
  return places
}

/** Identifies one write of a row: anything cached with the stamp belongs to that write. */
export const newStamp = (): string => crypto.randomUUID()

/** A row of a branch, its end first. */
export interface LineRow {
  readonly id: string
  readonly parent_id: string | null
  readonly seq: number
  readonly depth: number | null
  readonly open_ends: number | null
  readonly stamp: string | null
  /** The length of this message and those after it in characters; 0 if not requested. */
  readonly size: number
}

/**
 * Selects the branch that ends with a message, its end first, without the message texts. Returns at most `limit`
 * messages, and stops once the previous ones contain `chars` characters. Each message answers an earlier one, so there
 * are no cycles.
 */
export const lineQuery = (
  { owner, conversationId }: { readonly owner: string; readonly conversationId: string },
  headId: string,
  { limit, chars }: { readonly limit: number; readonly chars: number | null },
): RawBuilder<LineRow> => {
  const size = (table: string) => (chars === null ? sql`0` : sql`length(${sql.ref(`${table}.body`)})`)
  return sql<LineRow>`
    with recursive line as (
      select m.id, m.parent_id, m.seq, m.depth, m.open_ends, m.stamp, 1 as place, ${size('m')} as size
      from messages m where m.owner = ${owner} and m.conversation_id = ${conversationId} and m.id = ${headId}
      union all
      select m.id, m.parent_id, m.seq, m.depth, m.open_ends, m.stamp, line.place + 1, line.size + ${size('m')}
      from line join messages m
        on m.owner = ${owner} and m.conversation_id = ${conversationId} and m.id = line.parent_id and m.seq < line.seq
      where line.place < ${limit} and (${chars === null ? sql`1 = 1` : sql`line.size < ${chars}`})
    )
    select id, parent_id, seq, depth, open_ends, stamp, size from line order by place`
}

type Trx = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor' | 'insertInto' | 'updateTable'>
type EventRow = Insertable<RunEventTable>

/** What a run's writer gets back. `last_seq`: null for a log without events. */
interface Beaten extends Pick<RunTable, 'owner' | 'id' | 'stop_requested'> {
  readonly last_seq: number | null
}

/** The number of the run's last event; read only from an index. */
export const lastSeqOf = (trx: Pick<Kysely<Schema>, 'selectFrom'>, { owner, runId }: RunKey) =>
  trx
    .selectFrom('run_events')
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .select(({ fn }) => fn.max('seq').as('seq'))

/** The most rows per statement; a statement is built once for each number of rows. */
const MOST_ROWS = 64
const MOST_RUNS = 64

const inParts = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))

/** Padded to the next power of two by repeating the last one: seven statements are enough for up to 64. */
function filledUp(runs: readonly RunKey[]): readonly RunKey[] {
  const size = 2 ** Math.ceil(Math.log2(runs.length))
  return Array.from({ length: size }, (_, at) => runs[Math.min(at, runs.length - 1)] as RunKey)
}

/**
 * The two most frequent statements of replies, some hundred times each. They are built once, because building takes
 * longer than SQLite takes to run them.
 */
export function createAppendStatements(time: DatabaseTime) {
  const beatOnce = new Map<number, CompiledQuery<Beaten>>()
  const insertOnce = new Map<number, CompiledQuery>()

  async function beatPart(trx: Trx, runs: readonly RunKey[]): Promise<readonly Beaten[]> {
    const built = beatOnce.get(runs.length) ?? keepStatementPlan(beating(trx, runs, time).compile())
    beatOnce.set(runs.length, built)
    const now = time.now().compile(trx).parameters
    const keys = runs.flatMap(({ owner, runId }) => [owner, runId])
    const { rows } = await trx.executeQuery<Beaten>({ ...built, parameters: [...now, 'running', ...keys] })
    return rows
  }

  async function insertPart(trx: Trx, rows: readonly EventRow[]): Promise<void> {
    const built = insertOnce.get(rows.length) ?? keepWritePlan(inserting(trx, rows).compile())
    insertOnce.set(rows.length, built)
    // In the order of the columns in `inserting`.
    const parameters = rows.flatMap(({ owner, run_id, seq, body }) => [owner, run_id, seq, body])
    await trx.executeQuery({ ...built, parameters })
  }

  return {
    /**
     * Updates the heartbeat of runs that are (still) running. One statement for all: each statement waits for the
     * database and the event loop, and if both are slow, separate heartbeats of many replies would be outdated by the
     * time they are visible.
     */
    async beat(trx: Trx, runs: readonly RunKey[]): Promise<readonly Beaten[]> {
      const beaten: Beaten[] = []
      for (const part of inParts(runs, MOST_RUNS)) beaten.push(...(await beatPart(trx, filledUp(part))))
      return beaten
    },

    /** Existing events are left unchanged. */
    async insert(trx: Trx, rows: readonly EventRow[]): Promise<void> {
      for (const part of inParts(rows, MOST_ROWS)) await insertPart(trx, part)
    },
  }
}

const beating = (trx: Trx, runs: readonly RunKey[], time: DatabaseTime) =>
  trx
    .updateTable('runs')
    .set({ heartbeat_at: time.now() })
    .where('status', '=', 'running')
    .where((eb) => eb.or(runs.map(({ owner, runId }) => eb.and({ owner, id: runId }))))
    .returning(['owner', 'id', 'stop_requested'])
    .returning((eb) =>
      eb
        .selectFrom('run_events')
        .whereRef('run_events.owner', '=', 'runs.owner')
        .whereRef('run_events.run_id', '=', 'runs.id')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .as('last_seq'),
    )

const inserting = (trx: Trx, rows: readonly EventRow[]) =>
  trx
    .insertInto('run_events')
    .values(rows.map(({ owner, run_id, seq, body }) => ({ owner, run_id, seq, body })))
    .onConflict((conflict) => conflict.doNothing())
