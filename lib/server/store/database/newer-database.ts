import { sql, type Kysely, type KyselyPlugin } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { Migration } from 'kysely/migration'
import { setImmediate as turn } from 'node:timers/promises'

/*
 * Which program versions have worked on this database. This table is outside of the numbered migrations and never
 * changes: an older program reads it if it does not know the migrations.
 */

const MIGRATIONS = 'kysely_migration'
const PROGRAMS = 'programs'

/**
 * Refuses a database with migrations that this program does not know, because only a newer version understands its
 * rows. Throws AppError `unavailable`, with the version that wrote them if it was recorded. `known`: the migrations of
 * this program.
 */
export async function refuseNewer(
  db: Kysely<never>,
  { known, version }: { readonly known: readonly string[]; readonly version: string | null },
): Promise<void> {
  const last = known.toSorted().at(-1) ?? ''
  const unknown = [...(await stepsDone(db))].filter((name) => !known.includes(name) && name > last)
  if (unknown.length === 0) return
  const writers = (await tablesOf(db))(PROGRAMS)
    ? (await sql<{ version: string }>`select version from ${sql.table(PROGRAMS)}`.execute(db)).rows
    : []
  const newest = writers
    .map((row) => row.version)
    .toSorted(byVersion)
    .at(-1)
  const by = newest !== undefined && version !== null && byVersion(newest, version) > 0 ? newest : null
  throw makeError('unavailable', 'store.newer', { by, own: version, step: unknown.toSorted().at(-1) ?? '' })
}

/** The applied migrations of this database. */
export async function stepsDone(db: Kysely<never>): Promise<ReadonlySet<string>> {
  if (!(await tablesOf(db))(MIGRATIONS)) return new Set()
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATIONS)}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function tablesOf(db: Kysely<never>): Promise<(name: string) => boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return (wanted) => tables.some(({ name }) => name === wanted)
}

/** Records that this program has updated the tables; `now` in epoch milliseconds. */
export async function recordProgram(db: Kysely<never>, version: string, now: number): Promise<void> {
  const programs = sql.table(PROGRAMS)
  try {
    await sql`create table if not exists ${programs} (version text primary key, since bigint not null)`.execute(db)
  } catch (error) {
    // PostgreSQL may still refuse it if another process creates the table at the same time.
    if (!(await tablesOf(db))(PROGRAMS)) throw error
  }
  await sql`insert into ${programs} (version, since) values (${version}, ${now}) on conflict (version) do nothing`.execute(
    db,
  )
}

/** 0.10.0 is newer than 0.9.1; a part that is no number counts as 0. */
function byVersion(one: string, other: string): number {
  const [ones, others] = [one, other].map((version) =>
    version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0),
  )
  for (let at = 0; at < 3; at += 1) {
    const difference = (ones?.[at] ?? 0) - (others?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A migration within an update of the tables, counted from 1. */
export interface MigrationStep {
  readonly step: number
  readonly total: number
}

/** How often the event loop gets a turn, so that the server answers during an update. */
const TURN_MS = 20

/** SQLite runs on the same thread: without pauses nothing else runs until the last statement is done. */
export function pausingPlugin(monotonic: () => number = () => performance.now()): KyselyPlugin {
  let since = monotonic()
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (monotonic() - since >= TURN_MS) {
        await turn()
        since = monotonic()
      }
      return result
    },
  }
}

/** The same migrations; `onStep` is called when each begins. `done`: how many the database already has. */
export function countedSteps(
  migrations: Readonly<Record<string, Migration>>,
  done: ReadonlySet<string>,
  onStep: (step: MigrationStep) => void,
): Record<string, Migration> {
  const names = Object.keys(migrations).toSorted()
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      {
        ...migrations[name],
        async up(db: Kysely<never>) {
          if (done.size > 0) onStep({ step: at + 1, total: names.length })
          await migrations[name]?.up(db)
        },
      },
    ]),
  )
}
