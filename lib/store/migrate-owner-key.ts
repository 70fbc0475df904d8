import { PostgresAdapter, sql, type Kysely } from 'kysely'

/** One table as it stands from here on, in words that both databases take. */
interface Table {
  readonly name: string
  /** Without `owner`, which every table has first. */
  readonly columns: Readonly<Record<string, string>>
  readonly constraints: readonly string[]
  /** Where its owner is read: `old` is its row of before. */
  readonly from: string
  readonly indexes?: readonly string[]
}

const ofConversation = `old join old_conversations c on c.id = old.conversation_id`
const belongsToConversation = (table: string): string =>
  `constraint ${table}_conversation foreign key (owner, conversation_id)
   references conversations (owner, id) on delete cascade on update cascade`

const text = 'text not null'
const count = 'bigint not null'
const call = { conversation_id: text, message_id: text, slot: count }

/** Parents first. */
const tables: readonly Table[] = [
  {
    name: 'conversations',
    columns: {
      id: text,
      title: text,
      title_search: text,
      settings: text,
      head_id: 'text',
      created_at: count,
      updated_at: count,
      imported_at: 'bigint',
    },
    constraints: ['constraint conversations_pk primary key (owner, id)'],
    from: 'old_conversations old join old_conversations c on c.id = old.id',
    // As the list is ordered: its first page is the first entries of the index.
    indexes: ['create index conversations_newest on conversations (owner, updated_at desc, id)'],
  },
  {
    name: 'messages',
    columns: { conversation_id: text, id: text, seq: count, body: text, runnable_calls: `${count} default 0` },
    constraints: [
      'constraint messages_pk primary key (owner, conversation_id, id)',
      'constraint messages_seq unique (owner, conversation_id, seq)',
      belongsToConversation('messages'),
    ],
    from: `old_messages ${ofConversation}`,
  },
  {
    name: 'calls',
    columns: {
      ...call,
      decision: text,
      runner_id: 'text',
      attempt: count,
      body: text,
      decided_at: count,
      outcome: 'text',
      stopped: 'text',
      finished_at: 'bigint',
      gated: 'integer not null default 0',
      release: 'text',
      posted_in: 'text',
    },
    constraints: [
      'constraint calls_pk primary key (owner, conversation_id, message_id, slot)',
      belongsToConversation('calls'),
    ],
    from: `old_calls ${ofConversation}`,
  },
  {
    name: 'amendments',
    columns: { ...call, call: text, amended_at: count },
    constraints: [
      'constraint amendments_pk primary key (owner, conversation_id, message_id, slot)',
      belongsToConversation('amendments'),
    ],
    from: `old_amendments ${ofConversation}`,
  },
  {
    name: 'grants',
    columns: {
      conversation_id: text,
      id: text,
      scope: text,
      created_at: count,
      uses: `${count} default 0`,
      last_used_at: 'bigint',
      revoked_at: 'bigint',
      expires_at: 'bigint',
      given_on: 'text',
    },
    constraints: ['constraint grants_pk primary key (owner, conversation_id, id)', belongsToConversation('grants')],
    from: `old_grants ${ofConversation}`,
  },
  {
    name: 'log',
    columns: {
      conversation_id: text,
      seq: count,
      at: count,
      actor: text,
      event: text,
      message_id: 'text',
      slot: 'bigint',
      body: text,
    },
    constraints: ['constraint log_pk primary key (owner, conversation_id, seq)', belongsToConversation('log')],
    from: `old_log ${ofConversation}`,
  },
  {
    name: 'images',
    columns: { conversation_id: text, message_id: text, number: count, media_type: text, data: text },
    constraints: [
      'constraint images_pk primary key (owner, conversation_id, message_id, number)',
      belongsToConversation('images'),
    ],
    from: `old_images ${ofConversation}`,
  },
  {
    name: 'conversation_tools',
    columns: { conversation_id: text, name: text, body: text },
    constraints: [
      'constraint conversation_tools_pk primary key (owner, conversation_id, name)',
      belongsToConversation('conversation_tools'),
    ],
    from: `old_conversation_tools ${ofConversation}`,
  },
  {
    name: 'runs',
    columns: {
      id: text,
      conversation_id: text,
      message_id: text,
      request_id: text,
      status: text,
      stop_requested: 'integer not null default 0',
      heartbeat_at: count,
      ended_at: 'bigint',
      events_pruned: 'integer not null default 0',
    },
    constraints: [
      'constraint runs_pk primary key (owner, id)',
      'constraint runs_request unique (owner, conversation_id, request_id)',
      belongsToConversation('runs'),
    ],
    from: `old_runs ${ofConversation}`,
    indexes: [
      // One reply at a time: the database itself refuses a second running run of a conversation.
      `create unique index runs_one_running on runs (owner, conversation_id) where status = 'running'`,
      // Over all owners, for maintenance alone.
      'create index runs_to_prune on runs (ended_at) where events_pruned = 0',
    ],
  },
  {
    name: 'run_events',
    columns: { run_id: text, seq: count, body: text },
    constraints: [
      'constraint run_events_pk primary key (owner, run_id, seq)',
      `constraint run_events_run foreign key (owner, run_id)
       references runs (owner, id) on delete cascade on update cascade`,
    ],
    from: 'old_run_events old join old_runs r on r.id = old.run_id join old_conversations c on c.id = r.conversation_id',
  },
]

/**
 * Every row says whose it is, in the first column of its key. The tables are made anew and filled by the database itself:
 * SQLite changes no key in place, and PostgreSQL would leave a dead copy of every row behind. Needs the room of the tables
 * once more until it is done. A row without a conversation is not carried over; foreign keys let none be.
 */
export async function keyByOwner(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)

  for (const { name } of tables) await run(`alter table ${name} rename to old_${name}`)
  for (const { name, columns, constraints, from } of tables) {
    const lines = ['owner text not null', ...Object.entries(columns).map(([column, type]) => `${column} ${type}`)]
    // SQLite takes constraints only now; PostgreSQL makes them faster of what is there already, under names that are free then.
    await run(`create table ${name} (${[...lines, ...(isPostgres ? [] : constraints)].join(', ')})`)
    const names = Object.keys(columns)
    const values = names.map((column) => `old.${column}`)
    await run(`insert into ${name} (owner, ${names.join(', ')}) select c.owner, ${values.join(', ')} from ${from}`)
  }
  for (const { name } of tables.toReversed()) await run(`drop table old_${name}`)
  for (const { name, constraints, indexes = [] } of tables) {
    if (isPostgres) for (const constraint of constraints) await run(`alter table ${name} add ${constraint}`)
    for (const index of indexes) await run(index)
    // Until it has looked at them, the planner takes new tables for empty ones.
    if (isPostgres) await run(`analyze ${name}`)
  }
}
