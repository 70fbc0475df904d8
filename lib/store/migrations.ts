import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { makeError } from '@/lib/i18n/t'
import { countedSteps, pausingPlugin, type MigrationStep } from './migration-steps'
import { noteProgram, refuseNewer, stepsDone } from './newer-database'
import type { Schema } from './schema'
import { createTables } from './tables'

const BASELINE = '0026_baseline'

/** Numbered steps, never edited once released. Each runs in a transaction on both databases. */
export const migrations: Record<string, Migration> = {
  [BASELINE]: { up: createTables },
}

/** The steps before the baseline led to the same tables. Their last one, and a commit that still has them all. */
const LAST_BEFORE_BASELINE = '0025_trusted_time'
export const COMMIT_WITH_ALL_STEPS = '4cd713da'

/** Which program brings the tables up to date, and when in epoch milliseconds. */
export interface Program {
  readonly version: string
  readonly now: number
}

/** Called as each step that updates an existing database begins. */
export type OnStep = (step: MigrationStep) => void

/** How far a database is whose steps are `steps`. `too-old`: it has only some of the steps before the baseline. */
export function stateOf(steps: ReadonlySet<string>): 'current' | 'before-baseline' | 'too-old' {
  if (steps.size === 0 || [...steps].some((name) => name >= BASELINE)) return 'current'
  return steps.has(LAST_BEFORE_BASELINE) ? 'before-baseline' : 'too-old'
}

/**
 * Brings the tables up to date; safe for several processes at once. Throws what the database says, and AppError
 * `unavailable` for a database of a newer program or of one from before the baseline's tables.
 */
export async function migrateToLatest(
  db: Kysely<Schema>,
  program: Program | null = null,
  onStep: OnStep = () => {},
): Promise<readonly string[]> {
  const any = db as unknown as Kysely<never>
  await refuseNewer(any, { known: Object.keys(migrations), version: program?.version ?? null })
  const done = await stepsDone(any)
  const state = stateOf(done)
  if (state === 'too-old') {
    throw makeError('unavailable', 'store.older', { step: lastOf(done), commit: COMMIT_WITH_ALL_STEPS })
  }
  if (state === 'before-baseline') await nameBaseline(any)
  const applied = await applySteps(db, migrations, onStep)
  if (program) await noteProgram(any, program.version, program.now)
  return applied
}

/**
 * Applies the steps that the database does not have and returns their names. The event loop gets turns meanwhile, so that a
 * server answers for its health during a long update. Throws what the database says.
 */
export async function applySteps(
  db: Kysely<Schema>,
  steps: Readonly<Record<string, Migration>>,
  onStep: OnStep,
): Promise<readonly string[]> {
  const counted = countedSteps(steps, await stepsDone(db as unknown as Kysely<never>), onStep)
  const migrator = new Migrator({
    db: db.withPlugin(pausingPlugin()),
    provider: { getMigrations: () => Promise.resolve(counted) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}

export const lastOf = (steps: Iterable<string>): string => [...steps].toSorted().at(-1) ?? ''

/** Replaces the names of the steps before the baseline by its own. Two processes may do it at once. */
async function nameBaseline(db: Kysely<never>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const timestamp = new Date(0).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${timestamp}) on conflict do nothing`.execute(
      trx,
    )
    await sql`delete from kysely_migration where name < ${BASELINE}`.execute(trx)
  })
}
