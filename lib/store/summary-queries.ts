import { sql, type Kysely } from 'kysely'
import type { ConversationSummary } from '@/lib/conversation/conversation'
import { containsPattern, countOr, textOr } from './rows'
import type { Schema } from './schema'
import type { Store } from './store'

/** The lines of an owner's list. What waits is counted of the head message alone. */
export function summaryQueries(db: Kysely<Schema>): Pick<Store, 'listConversations' | 'summariseConversation'> {
  const summaries = (owner: string) =>
    db
      .selectFrom('conversations as c')
      .leftJoin('messages as head', (join) =>
        join.on('head.owner', '=', owner).onRef('head.conversation_id', '=', 'c.id').onRef('head.id', '=', 'c.head_id'),
      )
      .select((eb) => [
        'c.id',
        'c.title',
        'c.updated_at',
        'head.runnable_calls',
        eb
          .selectFrom('calls')
          .select((count) => count.fn.countAll<number>().as('n'))
          .where('calls.owner', '=', owner)
          .whereRef('calls.conversation_id', '=', 'c.id')
          .whereRef('calls.message_id', '=', 'c.head_id')
          .as('decided'),
        eb
          .selectFrom('calls')
          .select((count) => count.fn.countAll<number>().as('n'))
          .where('calls.owner', '=', owner)
          .whereRef('calls.conversation_id', '=', 'c.id')
          .whereRef('calls.message_id', '=', 'c.head_id')
          .where('calls.gated', '=', 1)
          .where('calls.release', 'is', null)
          .where('calls.posted_in', 'is', null)
          .as('gated'),
        eb
          .selectFrom('runs')
          .select((count) => count.fn.countAll<number>().as('n'))
          .where('runs.owner', '=', owner)
          .whereRef('runs.conversation_id', '=', 'c.id')
          .where('runs.status', '=', 'running')
          .as('running'),
      ])
      .where('c.owner', '=', owner)

  return {
    async listConversations(owner, query, limit) {
      let rows = summaries(owner)
      if (query !== '') rows = rows.where(sql<boolean>`c.title_search like ${containsPattern(query)} escape '\\'`)
      const found = await rows.orderBy('c.updated_at', 'desc').orderBy('c.id').limit(limit).execute()
      return found.map(summaryFromRow)
    },

    async summariseConversation(owner, id) {
      const row = await summaries(owner).where('c.id', '=', id).executeTakeFirst()
      return row ? summaryFromRow(row) : null
    },
  }
}

const summaryFromRow = (row: {
  readonly id: string
  readonly title: string
  readonly updated_at: number
  readonly runnable_calls: number | null
  readonly decided: number | null
  readonly gated: number | null
  readonly running: number | null
}): ConversationSummary => ({
  id: row.id,
  title: textOr(row.title, ''),
  updatedAt: countOr(row.updated_at, 0),
  running: (row.running ?? 0) > 0,
  waitingCalls: Math.max(0, (row.runnable_calls ?? 0) - (row.decided ?? 0)) + (row.gated ?? 0),
})
