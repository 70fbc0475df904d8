import { sql, type Kysely } from 'kysely'

/** What a chat keeps beside its messages, pictures, outcomes and log, which alone were counted before. */
const uncounted = [
  ['calls', 'body'],
  ['calls', 'release'],
  ['amendments', 'call'],
  ['grants', 'scope'],
  ['grants', 'given_on'],
  ['conversation_tools', 'body'],
  ['shares', 'shown'],
] as const

/** Counts all that somebody wrote or let in with what its chat keeps, in whichever table it stands. */
export async function countAllThatIsKept(db: Kysely<unknown>): Promise<void> {
  await sql`update conversations set
    bytes = bytes + octet_length(settings) + coalesce(octet_length(marks), 0)`.execute(db)
  for (const [table, column] of uncounted) await countColumn(db, table, column)
  // A link gives back what it was counted with.
  await sql`update shares set bytes = bytes + octet_length(shown)`.execute(db)
}

/** A stop holds what its run had said by then, which may be as much as any outcome. */
export const countStops = (db: Kysely<unknown>): Promise<void> => countColumn(db, 'calls', 'stopped')

async function countColumn(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await sql`update conversations set bytes = bytes + coalesce((
    select sum(octet_length(${sql.ref(column)})) from ${sql.table(table)} one
    where one.owner = conversations.owner and one.conversation_id = conversations.id), 0)`.execute(db)
}
