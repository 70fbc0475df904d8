import { sql, type Kysely } from 'kysely'

/** Where a chat stands in its owner's list: on top, put away, under which tags; and when it was deleted, until it is gone. */
export async function sortChats(db: Kysely<unknown>): Promise<void> {
  for (const column of ['pinned_at', 'archived_at', 'deleted_at']) {
    await db.schema.alterTable('conversations').addColumn(column, 'bigint').execute()
  }
  await sql`create index conversations_pinned on conversations (owner, pinned_at) where pinned_at is not null`.execute(
    db,
  )
  await sql`create index conversations_archived on conversations (owner, updated_at)
    where archived_at is not null`.execute(db)
  await sql`create index conversations_deleted on conversations (deleted_at) where deleted_at is not null`.execute(db)
  await db.schema
    .createTable('conversation_tags')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('conversation_id', 'text', (c) => c.notNull())
    .addColumn('tag', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('conversation_tags_pk', ['owner', 'conversation_id', 'tag'])
    .addForeignKeyConstraint(
      'conversation_tags_conversation',
      ['owner', 'conversation_id'],
      'conversations',
      ['owner', 'id'],
      (key) => key.onDelete('cascade').onUpdate('cascade'),
    )
    .execute()
  await db.schema.createIndex('conversation_tags_tag').on('conversation_tags').columns(['owner', 'tag']).execute()
}
