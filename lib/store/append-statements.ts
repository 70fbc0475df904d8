import type { CompiledQuery, Insertable, Kysely } from 'kysely'
import type { DatabaseTime } from './database-time'
import type { RunEventTable, RunTable, Schema } from './schema'
import type { RunKey } from './store'

type Trx = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor' | 'insertInto' | 'selectFrom' | 'updateTable'>
type EventRow = Insertable<RunEventTable>

/** As a run's writer is told of it. `last_seq`: null for a log without events. */
interface Beaten extends Pick<RunTable, 'stop_requested'> {
  readonly last_seq: number | null
}

/** The number of the run's last event; of an index alone. */
export const lastSeqOf = (trx: Pick<Kysely<Schema>, 'selectFrom'>, { owner, runId }: RunKey) =>
  trx
    .selectFrom('run_events')
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .select(({ fn }) => fn.max('seq').as('seq'))

/** Longer inserts are rare, and built each time. */
const MOST_ROWS = 64

/**
 * The two statements that replies ask most often, some hundred times each: built once, as building them takes longer than
 * SQLite takes to do what they say.
 */
export function createAppendStatements(time: DatabaseTime) {
  let beatOnce: CompiledQuery<Beaten> | null = null
  const insertOnce = new Map<number, CompiledQuery>()

  return {
    /** Undefined: the run does not run (any more). */
    async beat(trx: Trx, { owner, runId }: RunKey): Promise<Beaten | undefined> {
      const status = 'running'
      beatOnce ??= trx
        .updateTable('runs')
        .set({ heartbeat_at: time.now() })
        .where('owner', '=', owner)
        .where('id', '=', runId)
        .where('status', '=', status)
        .returning(['stop_requested', lastSeqOf(trx, { owner, runId }).as('last_seq')])
        .compile()
      const now = time.now().compile(trx).parameters
      const { rows } = await trx.executeQuery<Beaten>({
        ...beatOnce,
        parameters: [...now, owner, runId, status, owner, runId],
      })
      return rows[0]
    },

    /** Those that are there already stay as they are. */
    async insert(trx: Trx, rows: readonly EventRow[]): Promise<void> {
      if (rows.length === 0) return
      const built = insertOnce.get(rows.length) ?? inserting(trx, rows).compile()
      if (rows.length <= MOST_ROWS) insertOnce.set(rows.length, built)
      // In the order in which `inserting` names the columns.
      const parameters = rows.flatMap(({ owner, run_id, seq, body }) => [owner, run_id, seq, body])
      await trx.executeQuery({ ...built, parameters })
    },
  }
}

const inserting = (trx: Trx, rows: readonly EventRow[]) =>
  trx
    .insertInto('run_events')
    .values(rows.map(({ owner, run_id, seq, body }) => ({ owner, run_id, seq, body })))
    .onConflict((conflict) => conflict.doNothing())
