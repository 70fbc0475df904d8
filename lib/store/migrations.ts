import { PostgresAdapter, sql, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import { sayKinds } from './migrate-kinds'
import { addAccounts } from './migrate-accounts'
import { shareFairly } from './migrate-fair-use'
import { sayPlaces } from './migrate-message-lines'
import { indexWordsOfMessages } from './migrate-message-words'
import { countAllThatIsKept, countStops } from './migrate-kept-bytes'
import { keyByOwner } from './migrate-owner-key'
import { addShares } from './migrate-shares'
import { keepPresets } from './migrate-presets'
import { sortChats } from './migrate-shelves'
import { sayProcesses } from './migrate-run-process'
import { sayWriters } from './migrate-tab-runs'
import { sayWho } from './migrate-who'
import { countedSteps, pausingPlugin, type MigrationStep } from './migration-steps'
import { noteProgram, refuseNewer, stepsDone } from './newer-database'
import type { Schema } from './schema'

/** Numbered steps, never edited once released. Each runs in a transaction on both databases. */
export const migrations: Record<string, Migration> = {
  '0001_conversations': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('conversations')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('owner', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('title_search', 'text', (c) => c.notNull())
        .addColumn('settings', 'text', (c) => c.notNull())
        .addColumn('head_id', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .execute()
      await db.schema.createIndex('conversations_owner').on('conversations').columns(['owner', 'updated_at']).execute()
      await db.schema
        .createTable('messages')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('seq', 'integer', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('runnable_calls', 'integer', (c) => c.notNull().defaultTo(0))
        .addPrimaryKeyConstraint('messages_pk', ['conversation_id', 'id'])
        .addUniqueConstraint('messages_seq', ['conversation_id', 'seq'])
        .execute()
      await db.schema
        .createTable('calls')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('slot', 'integer', (c) => c.notNull())
        .addColumn('decision', 'text', (c) => c.notNull())
        .addColumn('runner_id', 'text')
        .addColumn('attempt', 'integer', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('decided_at', 'bigint', (c) => c.notNull())
        .addColumn('outcome', 'text')
        .addColumn('finished_at', 'bigint')
        .addColumn('posted_in', 'text')
        .addPrimaryKeyConstraint('calls_pk', ['conversation_id', 'message_id', 'slot'])
        .execute()
    },
  },
  '0002_runs': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('runs')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('request_id', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('stop_requested', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('heartbeat_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('events_pruned', 'integer', (c) => c.notNull().defaultTo(0))
        .addUniqueConstraint('runs_request', ['conversation_id', 'request_id'])
        .execute()
      // One reply at a time: the database itself refuses a second running run of a conversation.
      await sql`create unique index runs_one_running on runs (conversation_id) where status = 'running'`.execute(db)
      await sql`create index runs_to_prune on runs (ended_at) where events_pruned = 0`.execute(db)
      await db.schema
        .createTable('run_events')
        .addColumn('run_id', 'text', (c) => c.notNull().references('runs.id').onDelete('cascade'))
        .addColumn('seq', 'integer', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('run_events_pk', ['run_id', 'seq'])
        .execute()
    },
  },
  '0003_approval': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable('calls')
        .addColumn('gated', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
      await db.schema.alterTable('calls').addColumn('release', 'text').execute()
      await db.schema
        .createTable('amendments')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('slot', 'integer', (c) => c.notNull())
        .addColumn('call', 'text', (c) => c.notNull())
        .addColumn('amended_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('amendments_pk', ['conversation_id', 'message_id', 'slot'])
        .execute()
      await db.schema
        .createTable('grants')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('id', 'text', (c) => c.notNull())
        .addColumn('scope', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('uses', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('last_used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .addPrimaryKeyConstraint('grants_pk', ['conversation_id', 'id'])
        .execute()
      await db.schema
        .createTable('log')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('seq', 'integer', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('actor', 'text', (c) => c.notNull())
        .addColumn('event', 'text', (c) => c.notNull())
        .addColumn('message_id', 'text')
        .addColumn('slot', 'integer')
        .addColumn('body', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('log_pk', ['conversation_id', 'seq'])
        .execute()
    },
  },
  // Attachments themselves live in the message's body; their pictures are too large for it.
  '0004_images': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('images')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('number', 'integer', (c) => c.notNull())
        .addColumn('media_type', 'text', (c) => c.notNull())
        .addColumn('data', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('images_pk', ['conversation_id', 'message_id', 'number'])
        .execute()
    },
  },
  // PostgreSQL refuses a query whose number does not fit the column; SQLite's integers are as wide as these.
  '0005_wide_numbers': {
    async up(db: Kysely<unknown>) {
      if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
      for (const [table, columns] of Object.entries(narrowNumbers)) {
        for (const column of columns) {
          await db.schema
            .alterTable(table)
            .alterColumn(column, (c) => c.setDataType('bigint'))
            .execute()
        }
      }
    },
  },
  // What cards, log and model say of the past and nobody could prove: a stop, where a yes was given, where a chat is from.
  '0006_facts': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('calls').addColumn('stopped', 'text').execute()
      await db.schema.alterTable('grants').addColumn('given_on', 'text').execute()
      await db.schema.alterTable('conversations').addColumn('imported_at', 'bigint').execute()
    },
  },
  '0007_grants_that_end': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('grants').addColumn('expires_at', 'bigint').execute()
    },
  },
  '0008_rows_that_say_who': { up: sayWho },
  '0009_tools_of_a_conversation': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('conversation_tools')
        .addColumn('conversation_id', 'text', (c) => c.notNull().references('conversations.id').onDelete('cascade'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('body', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('conversation_tools_pk', ['conversation_id', 'name'])
        .execute()
    },
  },
  '0010_owner_key': { up: keyByOwner },
  '0011_lines_of_messages': { up: sayPlaces },
  '0012_kinds_of_messages': { up: sayKinds },
  '0013_fair_use': { up: shareFairly },
  '0014_accounts': { up: addAccounts },
  '0016_runs_of_tabs': { up: sayWriters },
  '0017_words_of_messages': { up: indexWordsOfMessages },
  '0018_shelves': { up: sortChats },
  '0019_shares': { up: addShares },
  '0021_context_marks': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('conversations').addColumn('marks', 'text').execute()
    },
  },
  '0020_presets': { up: keepPresets },
  '0022_all_that_is_kept': { up: countAllThatIsKept },
  '0023_processes_of_runs': { up: sayProcesses },
  '0024_outcomes_of_stops': { up: countStops },
  '0025_trusted_time': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('trusted_time')
        .addColumn('id', 'integer', (c) => c.primaryKey())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .execute()
    },
  },
}

/** Whatever is compared with a number that comes from outside. Flags are ours alone and stay as they are. */
const narrowNumbers = {
  messages: ['seq', 'runnable_calls'],
  calls: ['slot', 'attempt'],
  amendments: ['slot'],
  grants: ['uses'],
  log: ['seq', 'slot'],
  run_events: ['seq'],
  images: ['number'],
}

/** Who brings the tables up to date, and when in epoch milliseconds. */
export interface Program {
  readonly version: string
  readonly now: number
}

/** Hears of each step that brings an older database up to date. */
export type OnStep = (step: MigrationStep) => void

/**
 * Brings the tables up to date; safe for several starters at once. Throws what the database says, and AppError `unavailable` for
 * one that a newer program has brought further.
 */
export async function migrateToLatest(
  db: Kysely<Schema>,
  program: Program | null = null,
  onStep: OnStep = () => {},
): Promise<readonly string[]> {
  const any = db as unknown as Kysely<never>
  await refuseNewer(any, { known: Object.keys(migrations), version: program?.version ?? null })
  const steps = countedSteps(migrations, await stepsDone(any), onStep)
  const migrator = new Migrator({
    db: db.withPlugin(pausingPlugin()),
    provider: { getMigrations: () => Promise.resolve(steps) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  if (program) await noteProgram(any, program.version, program.now)
  return (results ?? []).map((result) => result.migrationName)
}
