import { sql, type Kysely } from 'kysely'

/**
 * What is shared fairly: counted windows, the claims of replies that are under way, what was used by day and model, and when
 * an owner was here last. In every table an owner comes first; what is counted for others than one person (an address,
 * everybody) stands there under a name that no owner has (`lib/store/subjects.ts`).
 */
export async function shareFairly(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quotas')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('starts_at', 'bigint', (c) => c.notNull())
    .addColumn('ends_at', 'bigint', (c) => c.notNull())
    .addColumn('n', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('quotas_pk', ['owner', 'name', 'starts_at'])
    .execute()
  await db.schema.createIndex('quotas_to_forget').on('quotas').columns(['ends_at']).execute()
  await db.schema
    .createTable('run_claims')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('run_id', 'text', (c) => c.notNull())
    .addColumn('claimed_by', 'text', (c) => c.notNull())
    .addColumn('conversation_id', 'text', (c) => c.notNull())
    .addColumn('waits', 'integer', (c) => c.notNull())
    .addColumn('place', 'bigint', (c) => c.notNull())
    .addColumn('address', 'text')
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('tokens_in', 'bigint', (c) => c.notNull())
    .addColumn('tokens_out', 'bigint', (c) => c.notNull())
    .addColumn('budgets', 'text', (c) => c.notNull())
    .addColumn('claimed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('run_claims_pk', ['owner', 'run_id'])
    .execute()
  await db.schema
    .createTable('usage')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('day', 'bigint', (c) => c.notNull())
    .addColumn('model', 'text', (c) => c.notNull())
    .addColumn('replies', 'bigint', (c) => c.notNull())
    .addColumn('tokens_in', 'bigint', (c) => c.notNull())
    .addColumn('tokens_out', 'bigint', (c) => c.notNull())
    .addColumn('estimated', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('usage_pk', ['owner', 'day', 'model'])
    .execute()
  await db.schema.createIndex('usage_by_day').on('usage').columns(['day', 'model']).execute()
  await db.schema
    .createTable('owners')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('first_seen', 'bigint', (c) => c.notNull())
    .addColumn('last_seen', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('owners_pk', ['owner'])
    .execute()
  await db.schema.createIndex('owners_last_seen').on('owners').columns(['last_seen']).execute()
  // Whoever has chats by now is taken for somebody who was here when they were last touched.
  await sql`insert into owners (owner, kind, first_seen, last_seen)
    select owner, 'visitor', min(created_at), max(updated_at) from conversations group by owner`.execute(db)

  await db.schema
    .alterTable('conversations')
    .addColumn('bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const [table, column] of kept) {
    const rows = sql.table(table)
    await sql`update conversations set bytes = bytes + coalesce((
      select sum(octet_length(${sql.ref(column)})) from ${rows} one
      where one.owner = conversations.owner and one.conversation_id = conversations.id), 0)`.execute(db)
  }
  await db.schema.createIndex('conversations_bytes').on('conversations').columns(['owner', 'bytes']).execute()
  await db.schema.createIndex('conversations_untouched').on('conversations').columns(['updated_at']).execute()
  await db.schema.createIndex('runs_to_forget').on('runs').columns(['ended_at']).execute()
}

/** What is counted of a chat, as `conversation-bytes.ts` does from here on. */
const kept = [
  ['messages', 'body'],
  ['images', 'data'],
  ['calls', 'outcome'],
  ['log', 'body'],
] as const
