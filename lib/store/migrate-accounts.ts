import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * The tables of better-auth as its own migration writes them, frozen here so that several starters make them once and nothing
 * changes them but a step of ours (`lib/accounts/auth-tables.test.ts` asks the library whether it misses anything), and what
 * stands beside them.
 */
export async function addAccounts(db: Kysely<unknown>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const time = sql.raw(postgres ? 'timestamptz' : 'date')
  const flag = sql.raw(postgres ? 'boolean' : 'integer')
  await sql`create table auth_user (
    id text not null primary key, name text not null, email text not null unique, "emailVerified" ${flag} not null,
    image text, "createdAt" ${time} not null, "updatedAt" ${time} not null,
    owner text not null unique, role text not null, "disabledAt" bigint)`.execute(db)
  await sql`create table auth_session (
    id text not null primary key, "expiresAt" ${time} not null, token text not null unique, "createdAt" ${time} not null,
    "updatedAt" ${time} not null, "ipAddress" text, "userAgent" text,
    "userId" text not null references auth_user (id) on delete cascade)`.execute(db)
  await sql`create table auth_account (
    id text not null primary key, "accountId" text not null, "providerId" text not null,
    "userId" text not null references auth_user (id) on delete cascade, "accessToken" text, "refreshToken" text,
    "idToken" text, "accessTokenExpiresAt" ${time}, "refreshTokenExpiresAt" ${time}, scope text, password text,
    "createdAt" ${time} not null, "updatedAt" ${time} not null)`.execute(db)
  await sql`create table auth_verification (
    id text not null primary key, identifier text not null, value text not null, "expiresAt" ${time} not null,
    "createdAt" ${time} not null, "updatedAt" ${time} not null)`.execute(db)
  await sql`create index "auth_session_userId_idx" on auth_session ("userId")`.execute(db)
  await sql`create index "auth_account_userId_idx" on auth_account ("userId")`.execute(db)
  // Somebody of a provider is one account, however many requests find them new at once.
  await sql`create unique index auth_account_who on auth_account ("providerId", "accountId")`.execute(db)
  await sql`create index "auth_verification_identifier_idx" on auth_verification (identifier)`.execute(db)
  await addOurs(db)
}

async function addOurs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('owner_moves')
    .addColumn('owner', 'text', (c) => c.primaryKey())
    .addColumn('to_owner', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('settled', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('invitations')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text')
    .addColumn('made_by', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .addPrimaryKeyConstraint('invitations_pk', ['owner', 'id'])
    .addUniqueConstraint('invitations_code', ['owner', 'code_hash'])
    .execute()
  await db.schema
    .createTable('audit')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('act', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('audit_pk', ['owner', 'id'])
    .execute()
  await db.schema.createIndex('audit_at').on('audit').columns(['owner', 'at', 'id']).execute()
  await db.schema
    .createTable('sign_in_tries')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('window_at', 'bigint', (c) => c.notNull())
    .addColumn('tries', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('sign_in_tries_pk', ['owner', 'subject', 'window_at'])
    .execute()
  await db.schema
    .createTable('file_places')
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('conversation_id', 'text', (c) => c.notNull())
    .addColumn('browser_id', 'text', (c) => c.notNull())
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('files', 'bigint', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('file_places_pk', ['owner', 'conversation_id', 'browser_id'])
    .addForeignKeyConstraint(
      'file_places_conversation',
      ['owner', 'conversation_id'],
      'conversations',
      ['owner', 'id'],
      (c) => c.onDelete('cascade').onUpdate('cascade'),
    )
    .execute()
}
