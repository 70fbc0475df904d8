import { PostgresAdapter, sql, type Kysely } from 'kysely'

/**
 * The words by which messages are found. `message_words` names the messages that are in the index; on PostgreSQL it holds their
 * words, on SQLite they stand in `message_index` under the same number, and go with the row. `words_due` names those whose words
 * are to be read (anew): all that is there now, and from here on each message as it is written.
 */
export async function indexWordsOfMessages(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const table of ['message_words', 'words_due']) {
    const holds = table === 'message_words'
    let making = db.schema
      .createTable(table)
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('conversation_id', 'text', (c) => c.notNull())
      .addColumn('message_id', 'text', (c) => c.notNull())
    if (holds) making = making.addColumn('doc', 'bigint', (c) => c.notNull())
    if (holds && isPostgres) making = making.addColumn('words', sql`tsvector`, (c) => c.notNull())
    await making
      .addPrimaryKeyConstraint(`${table}_pk`, ['owner', 'conversation_id', 'message_id'])
      .addForeignKeyConstraint(
        `${table}_conversation`,
        ['owner', 'conversation_id'],
        'conversations',
        ['owner', 'id'],
        (key) => key.onDelete('cascade').onUpdate('cascade'),
      )
      .execute()
  }
  await db.schema.createIndex('message_words_doc').on('message_words').columns(['owner', 'doc']).execute()
  if (isPostgres) {
    await sql`create index message_words_words on message_words using gin (words)`.execute(db)
  } else {
    // Without the text, which the messages have, and without the places of words, which are looked for where a snippet is cut.
    await sql`create virtual table message_index
      using fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(db)
    await sql`create trigger message_words_gone after delete on message_words
      begin delete from message_index where rowid = old.doc; end`.execute(db)
  }
  await sql`insert into words_due (owner, conversation_id, message_id)
    select owner, conversation_id, id from messages`.execute(db)
}
