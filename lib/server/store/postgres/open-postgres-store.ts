import { randomInt } from 'node:crypto'
import type { StoreProcesses, Store } from '../ports/store'
import { wallClock } from '@/lib/base/clocks'
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, type DatabaseConnection, type LogEvent } from 'kysely'
import { givenTime, postgresTime } from '../database/database-time'
import { createKyselyStore } from '../kysely-store'
import { migrateToLatest, type OnStep, PooledAdapter } from '../database/apply-migrations'
import { createDiskSpaceWatch } from '../database/disk-space-watch'
import type { DecodeSettings } from '../database/rows'
import type { RelaxedTransaction } from '../chats/run-event-queries'
import type { Schema } from '../ports/schema'
import { makePool } from './make-pool'
import { createPostgresSignals, type PostgresSignals } from './postgres-signals'
import type pg from 'pg'

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

/**
 * Transactions that do not wait for the disk. Begin and setting are sent in one round trip, because every reply writes
 * several times a second. Their answer is awaited before the first statement: without a transaction it would be kept
 * alone.
 */
class RelaxedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin; set local synchronous_commit = off'))
  }
}

/** The dialect with a lock that works behind a pooler, too. */
export class PooledDialect extends PostgresDialect {
  override createAdapter(): PooledAdapter {
    return new PooledAdapter()
  }
}

class RelaxedDialect extends PooledDialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }
  override createDriver(): PostgresDriver {
    return new RelaxedDriver({ pool: this.#pool })
  }
}

/**
 * Connections reserved for replies: behind all requests of a node under load, their heartbeats would arrive too late.
 */
const OF_REPLIES = 2

/** Connects and updates the tables. Throws the server's errors. */
export async function openPostgresStore(
  connectionString: string,
  options: {
    readonly decodeSettings: DecodeSettings
    /** The version in release notation; omitted: not recorded. */
    readonly version?: string
    readonly maxConnections?: number
    /** Called for connections that broke while idle; the pool replaces them. */
    readonly onIdleError?: (error: Error) => void
    /** Replaces the server's clock in tests; epoch milliseconds. */
    readonly now?: () => number
    readonly onStep?: OnStep
    /** Called for every statement. */
    readonly log?: (event: LogEvent) => void
  },
): Promise<Store> {
  const most = options.maxConnections ?? 10
  const room = createDiskSpaceWatch()
  // Behind a pooler that gives each transaction another connection it never listens, and plans can't be kept there.
  let signals: PostgresSignals | null = null
  const open = (connections: number) => {
    const pool = makePool(connectionString, connections, () => signals?.isListening() === true)
    pool.on('error', (error) => options.onIdleError?.(error))
    const log = room.logWith(options.log)
    const relaxed = new Kysely<Schema>({ dialect: new RelaxedDialect(pool), log })
    return {
      pool,
      // Kysely ends a pool only if it ran a query through that same dialect.
      close: async () => (pool.ending ? undefined : pool.end()),
      db: new Kysely<Schema>({ dialect: new PooledDialect({ pool }), log }),
      relaxed: ((work) => relaxed.transaction().execute(work)) as RelaxedTransaction,
    }
  }
  const { db, relaxed } = open(Math.max(1, most - OF_REPLIES))
  const ofReplies = open(OF_REPLIES)
  try {
    const { version, now = wallClock } = options
    await migrateToLatest(db, version === undefined ? null : { version, now: now() }, options.onStep)
  } catch (error) {
    await Promise.all([db.destroy(), ofReplies.close()])
    throw error
  }
  const processes = createProcessLock(ofReplies.pool)
  const postgresSignals = createPostgresSignals(connectionString, {
    pool: ofReplies.pool,
    hold: (client) => processes.hold(client),
  })
  signals = postgresSignals
  const store = createKyselyStore(db, {
    kind: 'postgres',
    decodeSettings: options.decodeSettings,
    time: options.now ? givenTime(options.now) : postgresTime,
    // A load balancer asks whether the database is available, not how many requests wait for it.
    ping: () => room.ping(ofReplies.db),
    relaxed,
    ofReplies: ofReplies.relaxed,
    process: processes.own,
  })
  return {
    ...store,
    signals: postgresSignals,
    processes,
    async close() {
      await postgresSignals.close()
      await Promise.all([store.close(), ofReplies.close()])
    },
  }
}
