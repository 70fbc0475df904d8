import { sql, type Kysely } from 'kysely'
import type { Schema } from '../ports/schema'
import type { DatabaseReader } from './statements/statement-rules'

/** The storage of an owner: every column with content that someone wrote or imported. */
export const countedColumns: Readonly<Record<string, readonly string[]>> = {
  conversations: ['settings', 'marks'],
  messages: ['body', 'deleted'],
  calls: ['body', 'outcome', 'stopped', 'release', 'inner_calls'],
  amendments: ['call'],
  grants: ['scope', 'given_on'],
  log: ['body'],
  images: ['data'],
  conversation_tools: ['body'],
  shares: ['body', 'shown'],
  presets: ['body'],
  projects: ['body'],
  memories: ['body'],
  owner_defaults: ['body'],
  mcp_servers: ['body'],
  tool_sets: ['body'],
}

/** Text columns that are not counted, and why. Ids and names of rows are never counted. */
export const uncountedColumns: Readonly<Record<string, string>> = {
  'conversations.title': 'a line, of which requests take so many characters',
  'conversations.title_search': 'made of the title',
  'messages.kind': 'one of our words',
  'calls.decision': 'one of our words',
  'calls.relay_question': 'an answer on its way to a tool server, forgotten when the question is over',
  'log.actor': 'a hash',
  'log.event': 'one of our words',
  'images.media_type': 'one of our words',
  'conversation_tags.tag': 'a short word, of which there are so many',
  'conversation_tool_sets.hash': 'a hash',
  'conversation_tool_sets.host': 'of an address, which is counted with its server',
  'conversation_tool_sets.prefix': 'a short word',
  'tool_sets.hash': 'a hash',
  'runs.status': 'one of our words',
  'runs.side': 'a digit',
  'runs.writer': 'which tab it is; goes with the run',
  'run_events.body': 'the words of a reply, forgotten minutes after its end, when they count as its message',
  'shares.title': 'the title of the chat',
  'shares.token_hash': 'a hash',
  'reviews.token_hash': 'a hash',
  'reviews.token': 'ids and a signature',
  'reviews.target': 'ids',
  'reviews.reviewer': 'an id',
  'file_places.browser': 'how a browser names itself, cut; of so many browsers a chat',
}

/** Tables whose rows each belong to one owner. */
export async function ownTables(
  db: Kysely<Schema>,
  { keys }: Pick<DatabaseReader, 'keys'>,
): Promise<readonly string[]> {
  const all = await keys(db)
  return [...all].flatMap(([table, key]) => (key[0] === 'owner' && !(table in ofTheServer) ? [table] : [])).toSorted()
}

/** Text columns that may contain a user's content, without ids; as `table.column`. */
export async function wordColumns(
  db: Kysely<Schema>,
  reader: Pick<DatabaseReader, 'keys'>,
): Promise<readonly string[]> {
  const own = await ownTables(db, reader)
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ name }) => own.includes(name) && !(name in ofNumbers))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => /text|tsvector/i.test(column.dataType) && !isId(column.name))
        .map((column) => `${name}.${column.name}`),
    )
    .toSorted()
}

/** Tables with an owner column whose rows belong to nobody. */
const ofTheServer: Readonly<Record<string, string>> = {
  audit: 'what administrators did',
  invitations: 'by administrators',
  sign_in_tries: 'of addresses',
  owner_moves: 'which cookies let nobody in any more',
}

/** Tables without content, or with copies of other tables' content. */
const ofNumbers: Readonly<Record<string, string>> = {
  message_words: 'made of messages, on PostgreSQL with their words',
  words_due: 'which messages they are made of next',
  owners: 'when somebody was here',
  quotas: 'what was taken',
  run_claims: 'what a reply holds until its end',
  usage: 'tokens by model and day',
}

/** Ids and other lookup columns. */
const isId = (column: string): boolean => /^(?:owner|id|stamp|name)$|_(?:id|in)$/.test(column)

/** Each owner's storage, computed from the rows. A running reply counts at its end. */
export async function storedInRows(db: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const kept = new Map<string, number>()
  for (const [table, columns] of Object.entries(countedColumns)) {
    const size = sql.join(
      columns.map((column) => sql`coalesce(octet_length(${sql.ref(`one.${column}`)}), 0)`),
      sql` + `,
    )
    const isWritten =
      table === 'messages'
        ? sql`where not exists (select 1 from runs where runs.owner = one.owner and runs.status = 'running'
            and runs.conversation_id = one.conversation_id and runs.message_id = one.id)`
        : sql``
    const { rows } = await sql<{ owner: string; bytes: number | string }>`
      select one.owner, sum(${size}) as bytes from ${sql.table(table)} one ${isWritten} group by one.owner`.execute(db)
    for (const { owner, bytes } of rows) kept.set(owner, (kept.get(owner) ?? 0) + Number(bytes))
  }
  return kept
}
