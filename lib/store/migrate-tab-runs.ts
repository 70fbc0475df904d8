import type { Kysely } from 'kysely'

/** Runs that a tab writes say by whose hand, and how much was taken from it. Those of the server have no writer. */
export async function sayWriters(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('runs').addColumn('writer', 'text').execute()
  await db.schema
    .alterTable('runs')
    .addColumn('written', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
}
