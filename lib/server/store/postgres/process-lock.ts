import { randomInt } from 'node:crypto'
import type pg from 'pg'
import type { StoreProcesses } from '../ports/store'

/** Separates our locks from those of other programs in the same database. */
const CLASS = 0x6e_6f_64
const LARGEST_KEY = 2 ** 31 - 1
/**
 * After three seconds of silence, PostgreSQL probes the machine behind a connection twice, two seconds apart; by
 * default it waits for hours.
 */
const ASK_FOR_MACHINE = `select set_config('tcp_keepalives_idle', '3', false), set_config('tcp_keepalives_interval', '2', false),
  set_config('tcp_keepalives_count', '2', false)`
/** A repeated question within this time gets the cached answer: one stalled node may have hundreds of replies. */
const REMEMBER_MS = 250

export interface ProcessLock extends StoreProcesses {
  /** Holds the lock while the connection lasts, which must belong to this process alone. Never rejects. */
  hold(client: pg.Client): Promise<void>
}

/**
 * A PostgreSQL lock that a process holds with a connection: it is released as soon as the process ends, and kept while
 * the process merely stalls. If a whole machine fails, PostgreSQL notices it seconds later.
 */
export function createProcessLock(pool: pg.Pool): ProcessLock {
  const own = randomInt(1, LARGEST_KEY)
  const answers = new Map<number, { readonly at: number; readonly answer: Promise<boolean> }>()

  async function ask(process: number): Promise<boolean> {
    const { rowCount } = await pool.query(
      `select 1 from pg_locks where locktype = 'advisory' and classid = $1::oid and objid = $2::oid and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
      [CLASS, process],
    )
    return rowCount !== 0
  }

  return {
    own,

    // A shared lock: a broken earlier connection that PostgreSQL has not noticed yet must not block this one.
    async hold(client) {
      await client.query(ASK_FOR_MACHINE).catch(() => {})
      await client.query('select pg_advisory_lock_shared($1, $2)', [CLASS, own]).catch(() => {})
    },

    lives(process) {
      const at = performance.now()
      const known = answers.get(process)
      if (known && at - known.at < REMEMBER_MS) return known.answer
      for (const [other, answered] of answers) if (at - answered.at >= REMEMBER_MS) answers.delete(other)
      const answer = ask(process)
      answers.set(process, { at, answer })
      return answer
    },
  }
}
