import type { CompiledQuery, Insertable, Kysely } from 'kysely'
import type { DatabaseTime } from '../database/database-time'
import type { RunEventTable, RunTable, Schema } from '../ports/schema'
import type { RunKey } from '../ports/run-store'

type Trx = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor' | 'insertInto' | 'updateTable'>
type EventRow = Insertable<RunEventTable>

/** As a run's writer is told of it. `last_seq`: null for a log without events. */
interface Beaten extends Pick<RunTable, 'owner' | 'id' | 'stop_requested'> {
  readonly last_seq: number | null
}

/** The number of the run's last event; of an index alone. */
export const lastSeqOf = (trx: Pick<Kysely<Schema>, 'selectFrom'>, { owner, runId }: RunKey) =>
  trx
    .selectFrom('run_events')
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .select(({ fn }) => fn.max('seq').as('seq'))

/** Of a statement: for each number of them it is built once. */
const MOST_ROWS = 64
const MOST_RUNS = 64

const inParts = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))

/** As many as the next power of two, the last one again and again: seven statements do for up to 64. */
function filledUp(runs: readonly RunKey[]): readonly RunKey[] {
  const size = 2 ** Math.ceil(Math.log2(runs.length))
  return Array.from({ length: size }, (_, at) => runs[Math.min(at, runs.length - 1)] as RunKey)
}

/**
 * The two statements that replies ask most often, some hundred times each: built once, as building them takes longer than
 * SQLite takes to do what they say.
 */
export function createAppendStatements(time: DatabaseTime) {
  const beatOnce = new Map<number, CompiledQuery<Beaten>>()
  const insertOnce = new Map<number, CompiledQuery>()

  async function beatPart(trx: Trx, runs: readonly RunKey[]): Promise<readonly Beaten[]> {
    const built = beatOnce.get(runs.length) ?? beating(trx, runs, time).compile()
    beatOnce.set(runs.length, built)
    const now = time.now().compile(trx).parameters
    const keys = runs.flatMap(({ owner, runId }) => [owner, runId])
    const { rows } = await trx.executeQuery<Beaten>({ ...built, parameters: [...now, 'running', ...keys] })
    return rows
  }

  async function insertPart(trx: Trx, rows: readonly EventRow[]): Promise<void> {
    const built = insertOnce.get(rows.length) ?? inserting(trx, rows).compile()
    insertOnce.set(rows.length, built)
    // In the order in which `inserting` names the columns.
    const parameters = rows.flatMap(({ owner, run_id, seq, body }) => [owner, run_id, seq, body])
    await trx.executeQuery({ ...built, parameters })
  }

  return {
    /**
     * Of those that run (still). All in one statement: each waits for the database and for a turn of the event loop, and where both are
     * slow the hearts of many replies, one after the other, would be seen only when they are old.
     */
    async beat(trx: Trx, runs: readonly RunKey[]): Promise<readonly Beaten[]> {
      const beaten: Beaten[] = []
      for (const part of inParts(runs, MOST_RUNS)) beaten.push(...(await beatPart(trx, filledUp(part))))
      return beaten
    },

    /** Those that are there already stay as they are. */
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
