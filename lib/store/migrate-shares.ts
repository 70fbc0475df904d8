import type { Kysely } from 'kysely'

/**
 * Links under which a chat can be read by whoever has one: a copy of what was shown then. Of the secret in the link there is a
 * hash alone. With the chat its links go.
 */
export async function addShares(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('shares')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('conversation_id', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('messages', 'bigint', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('shown', 'text', (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('shares_pk', ['owner', 'id'])
    .addForeignKeyConstraint(
      'shares_conversation',
      ['owner', 'conversation_id'],
      'conversations',
      ['owner', 'id'],
      (key) => key.onDelete('cascade').onUpdate('cascade'),
    )
    .execute()
  await db.schema.createIndex('shares_of_conversation').on('shares').columns(['owner', 'conversation_id']).execute()
  // Not unique: a database that is divided by owner could not hold it so, and chance makes no two alike.
  await db.schema.createIndex('shares_token').on('shares').columns(['token_hash']).execute()
  await db.schema.createIndex('shares_end').on('shares').columns(['expires_at']).execute()
}
