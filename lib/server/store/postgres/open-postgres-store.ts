import { wallClock } from '@/lib/base/clocks'
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, type DatabaseConnection, type LogEvent } from 'kysely'
import { givenTime, postgresTime } from '../database/database-time'
import { createKyselyStore } from '../kysely-store'
import { migrateToLatest, type OnStep } from '../database/migrations'
import { createDiskSpaceWatch } from '../database/disk-space-watch'
import type { DecodeSettings } from '../database/rows'
import type { RelaxedTransaction } from '../chats/run-event-queries'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { createPostgresSignals } from './postgres-signals'
import { createProcessLock } from './process-lock'
import pg from 'pg'

const INT8_OID = 20

/** pg gives int8 (our times and counts) as strings; they fit a number. Not set globally: other users of pg may differ. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** A server that answers nobody is known to be away by then. */
const CONNECT_MS = 5_000
/** Whoever waits for others to give a connection back under load waits longer, and is answered late and not refused. */
const IN_LINE_MS = 15_000

class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
  }
}

/**
 * Connections that come and go. One that breaks while it is in use fails the query that uses it; without a listener of its own it would
 * end the process as well, as the pool listens to idle ones alone.
 */
export function makePool(connectionString: string, maxConnections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: IN_LINE_MS,
    types,
    Client,
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Transactions that do not wait for the disk: both are asked for in one trip, as every reply writes several times a second. */
class RelaxedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin; set local synchronous_commit = off'))
  }
}

class RelaxedDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }
  override createDriver(): PostgresDriver {
    return new RelaxedDriver({ pool: this.#pool })
  }
}

/** Of the connections, for what replies write: behind all requests of a node under load their hearts would seem to stand still. */
const OF_REPLIES = 2

/** Connects and brings the tables up to date. Throws what the server says. */
export async function openPostgresStore(
  connectionString: string,
  options: {
    readonly decodeSettings: DecodeSettings
    /** As releases are called; left out: nobody notes who opened it. */
    readonly version?: string
    readonly maxConnections?: number
    /** Hears of connections that broke while idle; the pool replaces them. */
    readonly onIdleError?: (error: Error) => void
    /** Instead of the server's clock; epoch milliseconds, for tests. */
    readonly now?: () => number
    readonly onStep?: OnStep
    /** Hears of every statement. */
    readonly log?: (event: LogEvent) => void
  },
): Promise<Store> {
  const most = options.maxConnections ?? 10
  const room = createDiskSpaceWatch()
  const open = (connections: number) => {
    const pool = makePool(connectionString, connections)
    pool.on('error', (error) => options.onIdleError?.(error))
    const log = room.logWith(options.log)
    const relaxed = new Kysely<Schema>({ dialect: new RelaxedDialect(pool), log })
    return {
      pool,
      // Kysely ends a pool only where it asked something through that same dialect.
      close: async () => (pool.ending ? undefined : pool.end()),
      db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log }),
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
  const signals = createPostgresSignals(connectionString, {
    pool: ofReplies.pool,
    hold: (client) => processes.hold(client),
  })
  const store = createKyselyStore(db, {
    kind: 'postgres',
    decodeSettings: options.decodeSettings,
    time: options.now ? givenTime(options.now) : postgresTime,
    // Whoever balances asks whether the database is there, not how many wait for it.
    ping: () => room.ping(ofReplies.db),
    relaxed,
    ofReplies: ofReplies.relaxed,
    process: processes.own,
  })
  return {
    ...store,
    signals,
    processes,
    async close() {
      await signals.close()
      await Promise.all([store.close(), ofReplies.close()])
    },
  }
}
