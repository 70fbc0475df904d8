import type { Compilable, CompiledQuery, Kysely, QueryResult, RawBuilder } from 'kysely'
import type { DatabaseTime } from './database-time'
import type { Schema } from '../ports/schema'

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
