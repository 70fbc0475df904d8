import { sql, type Kysely, PostgresAdapter } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { makeError } from '@/lib/i18n/t'
import { BASELINE, migrations } from './migrations'
import {
  recordProgram,
  refuseNewer,
  stepsDone,
  countedSteps,
  pausingPlugin,
  type MigrationStep,
} from './newer-database'
import type { Schema } from '../ports/schema'

/** The last migration before the baseline, and a commit that still contains all of them. */
const LAST_BEFORE_BASELINE = '0025_trusted_time'
export const COMMIT_WITH_ALL_STEPS = '4cd713da'

/** The program version that updates the tables, and the time in epoch milliseconds. */
export interface Program {
  readonly version: string
  readonly now: number
}

/** Called when a migration of an existing database begins. */
export type OnStep = (step: MigrationStep) => void

/**
 * The state of a database with the migrations `steps`. `too-old`: it has only some of the migrations before the
 * baseline.
 */
export function stateOf(steps: ReadonlySet<string>): 'current' | 'before-baseline' | 'too-old' {
  if (steps.size === 0 || [...steps].some((name) => name >= BASELINE)) return 'current'
  return steps.has(LAST_BEFORE_BASELINE) ? 'before-baseline' : 'too-old'
}

/**
 * Updates the tables; safe for several processes at once. Throws database errors, and AppError `unavailable` for a
 * database of a newer program or of one older than the baseline.
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
  if (program) await recordProgram(any, program.version, program.now)
  return applied
}

/**
 * Applies the missing migrations and returns their names. Yields to the event loop, so that a server answers health
 * checks during a long update. Throws database errors.
 */
export async function applySteps(
  db: Kysely<Schema>,
  steps: Readonly<Record<string, Migration>>,
  onStep: OnStep,
): Promise<readonly string[]> {
  const counted = countedSteps(steps, await stepsDone(db as unknown as Kysely<never>), onStep)
  const apply = async (on: Kysely<Schema>) => {
    const migrator = new Migrator({
      db: on.withPlugin(pausingPlugin()),
      provider: { getMigrations: () => Promise.resolve(counted) },
    })
    const { error, results } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return (results ?? []).map((result) => result.migrationName)
  }
  if (!(db.getExecutor().adapter instanceof PooledAdapter)) return apply(db)
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx)
    return apply(trx)
  })
}

/** Any number: the lock of this program's migrations. */
const MIGRATION_LOCK = 0x6e_6f_64_01

/**
 * Replaces Kysely's lock by ours, which ends with the transaction. Kysely's lasts as long as the connection. Behind a
 * pooler that gives each transaction another connection (PgBouncer), it is released on the wrong one, and the next node
 * waits forever.
 */
export class PooledAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

export const lastOf = (steps: Iterable<string>): string => [...steps].toSorted().at(-1) ?? ''

/** Replaces the names of the migrations before the baseline by the baseline's. Two processes may do it at once. */
async function nameBaseline(db: Kysely<never>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const timestamp = new Date(0).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${BASELINE}, ${timestamp}) on conflict do nothing`.execute(
      trx,
    )
    await sql`delete from kysely_migration where name < ${BASELINE}`.execute(trx)
  })
}
