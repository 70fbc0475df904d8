import { sql, type Kysely, PostgresAdapter } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Creates every table, index and trigger of an empty database. Each table starts with the owner, so that no query can
 * reach rows of another owner by id alone. JSON columns are text; times are epoch milliseconds in a bigint. better-auth
 * requires the `auth_` tables.
 */
async function createTables(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const statements = [...accounts(isPostgres), ...chats, ...fairUse, ...(isPostgres ? postgresSearch : sqliteSearch)]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const inConversation = (table: string): string =>
  `constraint ${table}_conversation foreign key (owner, conversation_id)
    references conversations (owner, id) on delete cascade on update cascade`

const chats: readonly string[] = [
  `create table conversations (
    owner text not null, id text not null, title text not null, title_search text not null, settings text not null,
    head_id text, created_at bigint not null, updated_at bigint not null, imported_at bigint,
    bytes bigint not null default 0, pinned_at bigint, archived_at bigint, deleted_at bigint, marks text,
    constraint conversations_pk primary key (owner, id))`,
  'create index conversations_newest on conversations (owner, updated_at desc, id)',
  'create index conversations_pinned on conversations (owner, pinned_at) where pinned_at is not null',
  'create index conversations_archived on conversations (owner, updated_at) where archived_at is not null',
  'create index conversations_deleted on conversations (deleted_at) where deleted_at is not null',
  'create index conversations_bytes on conversations (owner, bytes)',
  'create index conversations_untouched on conversations (updated_at)',

  `create table messages (
    owner text not null, conversation_id text not null, id text not null, seq bigint not null, body text not null,
    runnable_calls bigint not null default 0, parent_id text, depth bigint, open_ends bigint, stamp text, kind text,
    constraint messages_pk primary key (owner, conversation_id, id),
    constraint messages_seq unique (owner, conversation_id, seq), ${inConversation('messages')})`,
  'create index messages_parent on messages (owner, conversation_id, parent_id)',

  `create table calls (
    owner text not null, conversation_id text not null, message_id text not null, slot bigint not null,
    decision text not null, runner_id text, attempt bigint not null, body text not null, decided_at bigint not null,
    outcome text, stopped text, finished_at bigint, gated integer not null default 0, release text, posted_in text,
    constraint calls_pk primary key (owner, conversation_id, message_id, slot), ${inConversation('calls')})`,

  `create table amendments (
    owner text not null, conversation_id text not null, message_id text not null, slot bigint not null,
    call text not null, amended_at bigint not null,
    constraint amendments_pk primary key (owner, conversation_id, message_id, slot), ${inConversation('amendments')})`,

  `create table grants (
    owner text not null, conversation_id text not null, id text not null, scope text not null,
    created_at bigint not null, uses bigint not null default 0, last_used_at bigint, revoked_at bigint,
    expires_at bigint, given_on text,
    constraint grants_pk primary key (owner, conversation_id, id), ${inConversation('grants')})`,

  `create table log (
    owner text not null, conversation_id text not null, seq bigint not null, at bigint not null, actor text not null,
    event text not null, message_id text, slot bigint, body text not null,
    constraint log_pk primary key (owner, conversation_id, seq), ${inConversation('log')})`,

  // Attachments are in the message's body; their pictures are too large for it.
  `create table images (
    owner text not null, conversation_id text not null, message_id text not null, number bigint not null,
    media_type text not null, data text not null,
    constraint images_pk primary key (owner, conversation_id, message_id, number), ${inConversation('images')})`,

  `create table conversation_tools (
    owner text not null, conversation_id text not null, name text not null, body text not null,
    constraint conversation_tools_pk primary key (owner, conversation_id, name), ${inConversation('conversation_tools')})`,

  `create table conversation_tags (
    owner text not null, conversation_id text not null, tag text not null,
    constraint conversation_tags_pk primary key (owner, conversation_id, tag), ${inConversation('conversation_tags')})`,
  'create index conversation_tags_tag on conversation_tags (owner, tag)',

  // Which browser has the files of a chat.
  `create table file_places (
    owner text not null, conversation_id text not null, browser_id text not null, browser text not null,
    files bigint not null, at bigint not null,
    constraint file_places_pk primary key (owner, conversation_id, browser_id), ${inConversation('file_places')})`,

  `create table shares (
    owner text not null, id text not null, conversation_id text not null, token_hash text not null, title text not null,
    messages bigint not null, body text not null, shown text not null, bytes bigint not null,
    created_at bigint not null, expires_at bigint not null,
    constraint shares_pk primary key (owner, id), ${inConversation('shares')})`,
  'create index shares_token on shares (token_hash)',
  'create index shares_of_conversation on shares (owner, conversation_id)',
  'create index shares_end on shares (expires_at)',

  `create table runs (
    owner text not null, id text not null, conversation_id text not null, message_id text not null,
    request_id text not null, status text not null, stop_requested integer not null default 0,
    heartbeat_at bigint not null, ended_at bigint, events_pruned integer not null default 0, writer text,
    written bigint not null default 0, process integer,
    constraint runs_pk primary key (owner, id),
    constraint runs_request unique (owner, conversation_id, request_id), ${inConversation('runs')})`,
  // One reply at a time: the database itself refuses a second running run of a conversation.
  `create unique index runs_one_running on runs (owner, conversation_id) where status = 'running'`,
  'create index runs_to_prune on runs (ended_at) where events_pruned = 0',
  'create index runs_to_forget on runs (ended_at)',

  `create table run_events (
    owner text not null, run_id text not null, seq bigint not null, body text not null,
    constraint run_events_pk primary key (owner, run_id, seq),
    constraint run_events_run foreign key (owner, run_id)
      references runs (owner, id) on delete cascade on update cascade)`,

  `create table presets (
    owner text not null, id text not null, position bigint not null, body text not null,
    constraint presets_pk primary key (owner, id))`,
  'create table owner_defaults (owner text primary key, body text not null)',
]

/**
 * Quotas that are not of one person (an address, the whole server) have an owner id that no person has:
 * lib/server/store/ports/store.ts.
 */
const fairUse: readonly string[] = [
  `create table owners (
    owner text not null, kind text not null, first_seen bigint not null, last_seen bigint not null,
    constraint owners_pk primary key (owner))`,
  'create index owners_last_seen on owners (last_seen)',
  'create table owner_moves (owner text primary key, to_owner text not null, at bigint not null, settled integer not null default 0)',
  `create table quotas (
    owner text not null, name text not null, starts_at bigint not null, ends_at bigint not null, n bigint not null,
    constraint quotas_pk primary key (owner, name, starts_at))`,
  'create index quotas_to_forget on quotas (ends_at)',
  `create table run_claims (
    owner text not null, run_id text not null, claimed_by text not null, conversation_id text not null,
    waits integer not null, place bigint not null, address text, model text not null, tokens_in bigint not null,
    tokens_out bigint not null, budgets text not null, claimed_at bigint not null,
    constraint run_claims_pk primary key (owner, run_id))`,
  `create table usage (
    owner text not null, day bigint not null, model text not null, replies bigint not null, tokens_in bigint not null,
    tokens_out bigint not null, estimated bigint not null,
    constraint usage_pk primary key (owner, day, model))`,
  'create index usage_by_day on usage (day, model)',
  'create table trusted_time (id integer primary key, at bigint not null)',
]

function accounts(isPostgres: boolean): readonly string[] {
  const date = isPostgres ? 'timestamptz' : 'date'
  const flag = isPostgres ? 'boolean' : 'integer'
  return [
    `create table auth_user (
      id text not null primary key, name text not null, email text not null unique, "emailVerified" ${flag} not null,
      image text, "createdAt" ${date} not null, "updatedAt" ${date} not null,
      owner text not null unique, role text not null, "disabledAt" bigint)`,
    `create table auth_session (
      id text not null primary key, "expiresAt" ${date} not null, token text not null unique,
      "createdAt" ${date} not null, "updatedAt" ${date} not null, "ipAddress" text, "userAgent" text,
      "userId" text not null references auth_user (id) on delete cascade)`,
    'create index "auth_session_userId_idx" on auth_session ("userId")',
    `create table auth_account (
      id text not null primary key, "accountId" text not null, "providerId" text not null,
      "userId" text not null references auth_user (id) on delete cascade, "accessToken" text, "refreshToken" text,
      "idToken" text, "accessTokenExpiresAt" ${date}, "refreshTokenExpiresAt" ${date}, scope text, password text,
      "createdAt" ${date} not null, "updatedAt" ${date} not null)`,
    'create index "auth_account_userId_idx" on auth_account ("userId")',
    'create unique index auth_account_who on auth_account ("providerId", "accountId")',
    `create table auth_verification (
      id text not null primary key, identifier text not null, value text not null, "expiresAt" ${date} not null,
      "createdAt" ${date} not null, "updatedAt" ${date} not null)`,
    'create index auth_verification_identifier_idx on auth_verification (identifier)',
    `create table invitations (
      owner text not null, id text not null, kind text not null, code_hash text not null, email text, role text not null,
      account_id text, made_by text not null, created_at bigint not null, expires_at bigint not null, used_at bigint,
      revoked_at bigint, constraint invitations_pk primary key (owner, id),
      constraint invitations_code unique (owner, code_hash))`,
    `create table audit (
      owner text not null, id text not null, at bigint not null, actor text not null, act text not null,
      target text not null, detail text not null, constraint audit_pk primary key (owner, id))`,
    'create index audit_at on audit (owner, at, id)',
    `create table sign_in_tries (
      owner text not null, subject text not null, window_at bigint not null, tries bigint not null,
      constraint sign_in_tries_pk primary key (owner, subject, window_at))`,
  ]
}

/*
 * `message_words` lists the messages in the search index. On PostgreSQL it contains their words; on SQLite
 * `message_index` does, under the same number. `words_due` lists the messages that are not indexed yet.
 */
const searchTables = (words: string): readonly string[] => [
  `create table message_words (
    owner text not null, conversation_id text not null, message_id text not null, doc bigint not null, ${words}
    constraint message_words_pk primary key (owner, conversation_id, message_id), ${inConversation('message_words')})`,
  'create index message_words_doc on message_words (owner, doc)',
  `create table words_due (
    owner text not null, conversation_id text not null, message_id text not null,
    constraint words_due_pk primary key (owner, conversation_id, message_id), ${inConversation('words_due')})`,
]

const postgresSearch: readonly string[] = [
  ...searchTables('words tsvector not null,'),
  'create index message_words_words on message_words using gin (words)',
]

const sqliteSearch: readonly string[] = [
  ...searchTables(''),
  // Without the text, which the messages have, and without positions: a snippet is cut from the message.
  `create virtual table message_index
    using fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
  `create trigger message_words_gone after delete on message_words
    begin delete from message_index where rowid = old.doc; end`,
]

/** The migration that creates all tables. Its tables are those of the migrations before it. */
export const BASELINE = '0026_baseline'

/** Tool servers (MCP), the tool sets that their owners approved, and which set a chat uses. */
async function createToolServers(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table mcp_servers (
      owner text not null, id text not null, added_at bigint not null, body text not null,
      constraint mcp_servers_pk primary key (owner, id))`,
    `create table tool_sets (
      owner text not null, hash text not null, body text not null,
      constraint tool_sets_pk primary key (owner, hash))`,
    `create table conversation_tool_sets (
      owner text not null, conversation_id text not null, server_id text not null, hash text not null,
      host text not null, prefix text not null,
      constraint conversation_tool_sets_pk primary key (owner, conversation_id, server_id),
      ${inConversation('conversation_tool_sets')})`,
    'create index conversation_tool_sets_hash on conversation_tool_sets (owner, hash)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Records which attempt of a call this app's server has passed on: a claim that can be made once. */
async function addRelays(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column relayed bigint`.execute(db)
}

/** Until when a temporary chat is kept; null: an ordinary chat. */
async function addTemporaryChats(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column temporary_until bigint`.execute(db)
  await sql`create index conversations_temporary on conversations (temporary_until)
    where temporary_until is not null`.execute(db)
}

/** The content of a deleted message while it can be restored, and when it was deleted. */
async function addDeletedMessages(db: Kysely<unknown>): Promise<void> {
  await sql`alter table messages add column deleted text`.execute(db)
  await sql`alter table messages add column deleted_at bigint`.execute(db)
  await sql`create index messages_deleted on messages (deleted_at) where deleted_at is not null`.execute(db)
}

/** The tools that the code of a call has called. */
async function addInnerCalls(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column inner_calls text`.execute(db)
}

/** A question of a tool server that this app's server talks to, and its answer. */
async function addRelayQuestions(db: Kysely<unknown>): Promise<void> {
  await sql`alter table calls add column relay_question text`.execute(db)
}

/** Projects for chats, and memories that models are shown. */
async function addProjects(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table projects (
      owner text not null, id text not null, body text not null,
      constraint projects_pk primary key (owner, id))`,
    `create table memories (
      owner text not null, project_id text not null, version bigint not null, body text not null,
      constraint memories_pk primary key (owner, project_id))`,
    'alter table conversations add column project_id text',
    'create index conversations_project on conversations (owner, project_id) where project_id is not null',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/**
 * Several replies to one message may be written side by side. A program without sides writes '', so that it keeps one
 * reply at a time.
 */
async function addRunSides(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table runs add column side text not null default ''`,
    `create unique index runs_one_running_side on runs (owner, conversation_id, side) where status = 'running'`,
    'drop index runs_one_running',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Links by which one other account decides on a call or a copy. */
async function addReviews(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table reviews (
      owner text not null, conversation_id text not null, target text not null, token_hash text not null,
      token text not null, reviewer text not null, expires_at bigint not null,
      constraint reviews_pk primary key (owner, token_hash),
      constraint reviews_target unique (owner, conversation_id, target), ${inConversation('reviews')})`,
    'create index reviews_token on reviews (token_hash)',
    'create index reviews_end on reviews (expires_at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Numbered migrations, never edited once released. Each runs in a transaction on both databases. */
export const migrations: Record<string, Migration> = {
  [BASELINE]: { up: createTables },
  '0027_tool_servers': { up: createToolServers },
  '0028_relayed_calls': { up: addRelays },
  '0029_temporary_chats': { up: addTemporaryChats },
  '0033_projects': { up: addProjects },
  '0035_deleted_messages': { up: addDeletedMessages },
  '0044_inner_calls': { up: addInnerCalls },
  '0046_run_sides': { up: addRunSides },
  '0050_relay_questions': { up: addRelayQuestions },
  '0051_reviews': { up: addReviews },
}
