import type { Kysely } from 'kysely'

/** What an owner keeps beside chats: named settings for them, and what new ones begin with. */
export async function keepPresets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('presets')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('position', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('presets_pk', ['owner', 'id'])
    .execute()
  await db.schema
    .createTable('owner_defaults')
    .addColumn('owner', 'text', (c) => c.primaryKey())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute()
}
