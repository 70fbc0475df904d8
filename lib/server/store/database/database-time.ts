import { sql, type Kysely, type RawBuilder, type Compilable, type CompiledQuery, type QueryResult } from 'kysely'
import type { Schema } from '../ports/schema'

/**
 * The one clock that all nodes of a store share, as expressions inside queries (epoch milliseconds). Heartbeats are
 * written and judged by it alone: the clocks of the nodes may differ by anything.
 */
export interface DatabaseTime {
  readonly now: () => RawBuilder<number>
  /** Since when the database could be written at all: no heart can beat in one that is down. */
  readonly upSince: () => RawBuilder<number>
  /** Where this process tells the time, and not the database: the time, and the same clock that says what it is given. */
  readonly told?: { readonly now: () => number; readonly as: (now: number) => DatabaseTime }
}

/** SQLite lives on one host, so its processes share the host's clock. */
export const hostTime = (now: () => number): DatabaseTime => ({
  now: () => sql<number>`${now()}`,
  upSince: () => sql<number>`0`,
  told: { now, as: (value) => hostTime(() => value) },
})

/** `clock_timestamp`, not `now`: a transaction may have waited for a lock. */
export const postgresTime: DatabaseTime = {
  now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  upSince: () => sql<number>`(extract(epoch from pg_postmaster_start_time()) * 1000)::bigint`,
}

/** A clock of a test's own on PostgreSQL. */
export const givenTime = (now: () => number): DatabaseTime => ({
  now: () => sql<number>`${now()}::bigint`,
  upSince: () => sql<number>`0::bigint`,
  told: { now, as: (value) => givenTime(() => value) },
})

/**
 * For how long the run of the current row has shown no life, in milliseconds. A beat that is still to come was written before someone
 * set the clock back, so its age is not known: it counts as silent by that much, until it beats again. A start of the database that is
 * still to come says nothing, either.
 */
export const silence = ({ now, upSince }: DatabaseTime): RawBuilder<number> =>
  sql<number>`abs(${now()} - case when heartbeat_at > ${upSince()} or ${upSince()} > ${now()} then heartbeat_at else ${upSince()} end)`

/** What that clock says now. */
export async function timeOf(db: Kysely<Schema>, { now }: DatabaseTime): Promise<number> {
  const { rows } = await sql<{ readonly now: number | string }>`select ${now()} as now`.execute(db)
  return Number(rows[0]?.now)
}

type Db = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor'>

/** Stands in a statement for a value that is known when the statement is carried out. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Whatever is asked of it by name is a slot of that name. */
const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

/** For statements that say `time.now()`. */
export interface AtTime {
  /** What a process that tells the time itself says it is; else 0. */
  readonly now: number
}

export const atTime = ({ told }: DatabaseTime): AtTime => ({ now: told?.now() ?? 0 })

/** The clock as a statement that is prepared may use it. */
export const timeIn = (time: DatabaseTime, { now }: AtTime): DatabaseTime => time.told?.as(now) ?? time

/**
 * A statement that every reply needs: built and compiled once for each database, as that takes longer than SQLite takes to carry it
 * out. `build` gets the values as `args` and may only hand them on to the query: they are placeholders, so its text must not depend
 * on them.
 */
export function prepared<Args extends object, Row>(
  build: (db: Kysely<Schema>, args: Args) => Compilable<Row> | RawBuilder<Row>,
): (db: Db, args: Args) => Promise<QueryResult<Row>> {
  const built = new WeakMap<object, CompiledQuery<Row>>()
  return (db, args) => {
    const { adapter } = db.getExecutor()
    let query = built.get(adapter)
    if (!query) {
      // A transaction builds queries as its database does.
      const kysely = db as Kysely<Schema>
      query = build(kysely, slots as Args).compile(kysely)
      built.set(adapter, query)
    }
    const values = args as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value))
    return db.executeQuery({ ...query, parameters })
  }
}
