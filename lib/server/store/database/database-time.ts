import { sql, type Kysely, type RawBuilder, type Compilable, type CompiledQuery, type QueryResult } from 'kysely'
import type { Schema } from '../ports/schema'

/**
 * The one clock that all nodes of a store share, as SQL expressions (epoch milliseconds). Heartbeats are written and
 * judged by it alone: the clocks of the nodes may differ by any amount.
 */
export interface DatabaseTime {
  readonly now: () => RawBuilder<number>
  /** Since when the database has been up: no heartbeat can be written while it is down. */
  readonly upSince: () => RawBuilder<number>
  /** If this process provides the time instead of the database: the time, and a clock that returns a given time. */
  readonly fixed?: { readonly now: () => number; readonly as: (now: number) => DatabaseTime }
}

/** SQLite runs on one host, whose clock its processes share. */
export const hostTime = (now: () => number): DatabaseTime => ({
  now: () => sql<number>`${now()}`,
  upSince: () => sql<number>`0`,
  fixed: { now, as: (value) => hostTime(() => value) },
})

/** `clock_timestamp`, not `now`: a transaction may have waited for a lock. */
export const postgresTime: DatabaseTime = {
  now: () => sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  upSince: () => sql<number>`(extract(epoch from pg_postmaster_start_time()) * 1000)::bigint`,
}

/** A test's own clock on PostgreSQL. */
export const givenTime = (now: () => number): DatabaseTime => ({
  now: () => sql<number>`${now()}::bigint`,
  upSince: () => sql<number>`0::bigint`,
  fixed: { now, as: (value) => givenTime(() => value) },
})

/**
 * How long the run of the current row has had no heartbeat, in milliseconds. A heartbeat in the future was written
 * before the clock was set back, so its age is unknown: it counts as missing for that long, until the next one. A
 * database start in the future is ignored, too.
 */
export const silence = ({ now, upSince }: DatabaseTime): RawBuilder<number> =>
  sql<number>`abs(${now()} - case when heartbeat_at > ${upSince()} or ${upSince()} > ${now()} then heartbeat_at else ${upSince()} end)`

/** The current time of that clock. */
export async function timeOf(db: Kysely<Schema>, { now }: DatabaseTime): Promise<number> {
  const { rows } = await sql<{ readonly now: number | string }>`select ${now()} as now`.execute(db)
  return Number(rows[0]?.now)
}

type Db = Pick<Kysely<Schema>, 'executeQuery' | 'getExecutor'>

/** A placeholder in a statement for a value that is known when it runs. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Every property is a slot of that name. */
const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

/** The arguments of statements that use `time.now()`. */
export interface AtTime {
  /** The time, if this process provides it; otherwise 0. */
  readonly now: number
}

export const atTime = ({ fixed: told }: DatabaseTime): AtTime => ({ now: told?.now() ?? 0 })

/** The clock for use in a prepared statement. */
export const timeIn = (time: DatabaseTime, { now }: AtTime): DatabaseTime => time.fixed?.as(now) ?? time

/** A statement that returns `*` fails on a connection that prepared it before another node added a column. */
const RETURNS_ALL = /(?:\b(?:select|returning)|,)\s+(?:"?\w+"?\.)?\*/i

const names = new Map<string, string>()

/** Lets PostgreSQL keep the plan of this statement; its text must be the same for all values. */
export function keepStatementPlan<Query extends { readonly sql: string }>(query: Query): Query {
  if (!names.has(query.sql) && !RETURNS_ALL.test(query.sql)) names.set(query.sql, `nod_${names.size + 1}`)
  return query
}

/** The name under which a connection may prepare this statement. */
export const planName = (statement: string): string | undefined => names.get(statement)

const writes = new Set<string>()

/**
 * Says that nobody reads what this statement returns, so that within a transaction PostgreSQL gets the next one without
 * waiting: its error fails the next statement that is waited for, or the commit.
 */
export function keepWritePlan<Query extends { readonly sql: string }>(query: Query): Query {
  writes.add(query.sql)
  return keepStatementPlan(query)
}

/** Whether nobody reads what this statement returns. */
export const isWrite = (statement: string): boolean => writes.has(statement)

/**
 * Prepares a statement that every reply needs: built and compiled once for each database, because that takes longer
 * than SQLite takes to run it. On connections of its own, PostgreSQL keeps its plan. `build` gets the values as `args`
 * and may only pass them on to the query: they are placeholders, so the SQL must not depend on them.
 */
export function prepared<Args extends object, Row>(
  build: (db: Kysely<Schema>, args: Args) => Compilable<Row> | RawBuilder<Row>,
  keepPlan: typeof keepStatementPlan = keepStatementPlan,
): (db: Db, args: Args) => Promise<QueryResult<Row>> {
  const built = new WeakMap<object, CompiledQuery<Row>>()
  return (db, args) => {
    const { adapter } = db.getExecutor()
    let query = built.get(adapter)
    if (!query) {
      // A transaction builds queries like its database.
      const kysely = db as Kysely<Schema>
      query = keepPlan(build(kysely, slots as Args).compile(kysely))
      built.set(adapter, query)
    }
    const values = args as Readonly<Record<string, unknown>>
    const parameters = query.parameters.map((value) => (value instanceof Slot ? values[value.name] : value))
    return db.executeQuery({ ...query, parameters })
  }
}

/** The same for a statement of which nobody reads what it returns (`keepWritePlan`). */
export function preparedWrite<Args extends object>(
  build: (db: Kysely<Schema>, args: Args) => Compilable | RawBuilder<unknown>,
): (db: Db, args: Args) => Promise<void> {
  const write = prepared(build, keepWritePlan)
  return async (db, args) => void (await write(db, args))
}
