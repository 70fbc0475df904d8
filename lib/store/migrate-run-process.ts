import type { Kysely } from 'kysely'

/** Replies say which process writes them, where the database can tell whether it is still there (`process-lock.ts`). */
export async function sayProcesses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('process', 'integer').execute()
}
