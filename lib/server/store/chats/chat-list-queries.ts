import { sql, type Kysely, type Transaction } from 'kysely'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { maxPinned, cleanTag, maxTags, type ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { pastedModels } from '@/lib/shared/conversation/wire/tab-run'
import type { ChatKey } from '../database/lock-conversation'
import { prepared } from '../database/database-time'
import { containsPattern, countOr, textOr } from '../database/rows'
import type { Schema } from '../ports/schema'
import { type Store, ERASED, type ChatListStore } from '../ports/store'
import { makeError } from '@/lib/i18n/t'
import { settleDeleted } from '../runs/claim-run'

type Chats = ReturnType<typeof chatsIn>

/** The chats alone: a page is selected before anything is counted for each. */
const chatsIn = (db: Kysely<Schema>, owner: string) =>
  db
    .selectFrom('conversations as c')
    .select(['c.id', 'c.title', 'c.updated_at', 'c.pinned_at', 'c.archived_at', 'c.head_id', 'c.project_id'])
    .where('c.owner', '=', owner)
    .where('c.deleted_at', 'is', null)
    .where('c.temporary_until', 'is', null)

/** Waiting calls are counted only for the head message. */
const summariesIn = (db: Kysely<Schema>, owner: string, of: Chats) =>
  db
    .selectFrom(of.as('chat'))
    .leftJoin('messages as head', (join) =>
      join
        .on('head.owner', '=', owner)
        .onRef('head.conversation_id', '=', 'chat.id')
        .onRef('head.id', '=', 'chat.head_id'),
    )
    .select((eb) => [
      'chat.id',
      'chat.title',
      'chat.updated_at',
      'chat.pinned_at',
      'chat.archived_at',
      'head.runnable_calls',
      // A deleted project counts as none.
      eb
        .selectFrom('projects')
        .select('projects.id')
        .where('projects.owner', '=', owner)
        .whereRef('projects.id', '=', 'chat.project_id')
        .as('project'),
      eb
        .selectFrom('calls')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('calls.owner', '=', owner)
        .whereRef('calls.conversation_id', '=', 'chat.id')
        .whereRef('calls.message_id', '=', 'chat.head_id')
        .as('decided'),
      eb
        .selectFrom('calls')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('calls.owner', '=', owner)
        .whereRef('calls.conversation_id', '=', 'chat.id')
        .whereRef('calls.message_id', '=', 'chat.head_id')
        .where('calls.gated', '=', 1)
        .where('calls.release', 'is', null)
        .where('calls.posted_in', 'is', null)
        .as('gated'),
      eb
        .selectFrom('runs')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('runs.owner', '=', owner)
        .whereRef('runs.conversation_id', '=', 'chat.id')
        .where('runs.status', '=', 'running')
        .as('running'),
      eb
        .selectFrom('runs')
        .innerJoin('messages as written', (join) =>
          join
            .on('written.owner', '=', owner)
            .onRef('written.conversation_id', '=', 'runs.conversation_id')
            .onRef('written.id', '=', 'runs.message_id'),
        )
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('runs.owner', '=', owner)
        .whereRef('runs.conversation_id', '=', 'chat.id')
        .where('runs.status', '=', 'running')
        // Matches the stored JSON: within a text the quotation marks would be escaped.
        .where(sql<boolean>`written.body like ${`%"model":"${pastedModels}%`}`)
        .as('pasted'),
      eb
        .selectFrom('run_claims')
        .select((count) => count.fn.countAll<number>().as('n'))
        .where('run_claims.owner', '=', owner)
        .whereRef('run_claims.conversation_id', '=', 'chat.id')
        .where('run_claims.waits', '=', 1)
        .as('queued'),
    ])

/** The list entry of one chat. */
const summaryOf = prepared((db, { owner, conversationId }: ChatKey) =>
  summariesIn(db, owner, chatsIn(db, owner).where('c.id', '=', conversationId)),
)

/** The entries of an owner's chat list. */
export function summaryQueries(db: Kysely<Schema>): Pick<Store, 'listConversations' | 'summariseConversation'> {
  const chats = (owner: string) => chatsIn(db, owner)
  /** One page, newest first. */
  const pageOf = (owner: string, rows: Chats, limit: number) =>
    summariesIn(db, owner, rows.orderBy('c.updated_at', 'desc').orderBy('c.id').limit(limit))
      .orderBy('chat.updated_at', 'desc')
      .orderBy('chat.id')
      .execute()

  return {
    async listConversations(owner, query, limit, after, { archived, tag, project } = {}) {
      let rows = chats(owner)
      // Searches and the archive show pinned chats in their normal position; the full list shows them on top.
      const isComplete = query === '' && tag === undefined && project === undefined && !archived
      const pinned =
        isComplete && !after ? await pageOf(owner, chats(owner).where('c.pinned_at', 'is not', null), maxPinned) : []
      if (isComplete) rows = rows.where('c.pinned_at', 'is', null)
      if (archived) rows = rows.where('c.archived_at', 'is not', null)
      else if (query === '') rows = rows.where('c.archived_at', 'is', null)
      if (tag !== undefined) {
        rows = rows.where('c.id', 'in', (eb) =>
          eb
            .selectFrom('conversation_tags as t')
            .select('t.conversation_id')
            .where('t.owner', '=', owner)
            .where('t.tag', '=', tag),
        )
      }
      if (project !== undefined) rows = rows.where('c.project_id', '=', project)
      if (after) {
        const { updatedAt, id } = after
        // The database scans the index by the first condition alone.
        rows = rows
          .where('c.updated_at', '<=', updatedAt)
          .where((eb) => eb.or([eb('c.updated_at', '<', updatedAt), eb('c.id', '>', id)]))
      }
      if (query !== '') rows = rows.where(sql<boolean>`c.title_search like ${containsPattern(query)} escape '\\'`)
      const found = await pageOf(owner, rows, limit)
      return withTags(db, owner, [...pinned, ...found])
    },

    async summariseConversation(owner, id) {
      const [row] = (await summaryOf(db, { owner, conversationId: id })).rows
      return row ? ((await withTags(db, owner, [row]))[0] ?? null) : null
    },
  }
}

interface SummaryRow {
  readonly id: string
  readonly title: string
  readonly updated_at: number
  readonly pinned_at: number | null
  readonly archived_at: number | null
  readonly project: string | null
  readonly runnable_calls: number | null
  readonly decided: number | null
  readonly gated: number | null
  readonly running: number | null
  readonly queued: number | null
  readonly pasted: number | null
}

/** Adds the tags, which are in their own table. */
async function withTags(db: Kysely<Schema>, owner: string, rows: readonly SummaryRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const tagged = await db
    .selectFrom('conversation_tags')
    .select(['conversation_id', 'tag'])
    .where('owner', '=', owner)
    .where('conversation_id', 'in', ids)
    .orderBy('tag')
    .execute()
  const tags = Map.groupBy(tagged, (row) => row.conversation_id)
  return rows.map((row) => summaryFromRow(row, tags.get(row.id)?.map(({ tag }) => tag) ?? []))
}

const summaryFromRow = (row: SummaryRow, tags: readonly string[]): ConversationSummary => ({
  id: row.id,
  title: textOr(row.title, ''),
  updatedAt: countOr(row.updated_at, 0),
  running: (row.running ?? 0) > 0,
  ...(row.pinned_at !== null && { pinned: true }),
  ...(row.archived_at !== null && { archived: true }),
  ...(tags.length > 0 && { tags }),
  ...(row.project !== null && { project: row.project }),
  ...((row.running ?? 0) > 0 && (row.queued ?? 0) > 0 && { queued: true }),
  ...((row.pasted ?? 0) > 0 && { pasted: true }),
  waitingCalls: Math.max(0, (row.runnable_calls ?? 0) - (row.decided ?? 0)) + (row.gated ?? 0),
})

type Trx = Transaction<Schema>

export function chatListQueries(db: Kysely<Schema>): ChatListStore {
  const tagCounts = (within: Kysely<Schema>, owner: string) =>
    within
      .selectFrom('conversation_tags as t')
      .innerJoin('conversations as c', (join) =>
        join.on('c.owner', '=', owner).onRef('c.id', '=', 't.conversation_id').on('c.deleted_at', 'is', null),
      )
      .select((eb) => ['t.tag', eb.fn.countAll<number | string>().as('chats')])
      .where('t.owner', '=', owner)
      .groupBy('t.tag')
      .orderBy('t.tag')
      .execute()

  async function label(trx: Trx, owner: string, ids: readonly string[], { addTag, removeTag }: ChatsChange) {
    const added = cleanTag(addTag ?? '')
    if (removeTag !== undefined) {
      await trx
        .deleteFrom('conversation_tags')
        .where('owner', '=', owner)
        .where('conversation_id', 'in', ids)
        .where('tag', '=', cleanTag(removeTag))
        .execute()
    }
    if (added === '') return
    await trx
      .insertInto('conversation_tags')
      .values(ids.map((id) => ({ owner, conversation_id: id, tag: added })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const tags = await tagCounts(trx, owner)
    if (tags.length > maxTags) throw makeError('bad-request', 'store.too-many-tags', { most: maxTags })
  }

  return {
    sortConversations: (owner, ids, change, now) =>
      db.transaction().execute(async (trx) => {
        const chats = trx
          .selectFrom('conversations')
          .select(['id', 'deleted_at'])
          .where('owner', '=', owner)
          .where('id', 'in', ids)
        const rows = await chats.orderBy('id').execute()
        const there = rows.flatMap(({ id, deleted_at }) =>
          deleted_at !== ERASED && (deleted_at !== null) === (change.deleted === false) ? [id] : [],
        )
        if (there.length === 0) return []
        if (typeof change.project === 'string') await requireProject(trx, owner, change.project)
        const at = (is: boolean) => (is ? now : null)
        const changes = {
          ...(change.pinned !== undefined && { pinned_at: at(change.pinned) }),
          ...(change.archived !== undefined && { archived_at: at(change.archived) }),
          // A chat is either pinned or archived.
          ...(change.pinned === true && { archived_at: null }),
          ...(change.archived === true && { pinned_at: null }),
          ...(change.deleted !== undefined && { deleted_at: at(change.deleted) }),
          ...(change.project !== undefined && { project_id: change.project }),
        }
        if (Object.keys(changes).length > 0) {
          await trx
            .updateTable('conversations')
            .set(changes)
            .where('owner', '=', owner)
            .where('id', 'in', there)
            .execute()
        }
        if (change.pinned === true) await refuseTooManyPinned(trx, owner)
        await label(trx, owner, there, change)
        return there
      }),

    async listTags(owner) {
      const rows = await tagCounts(db, owner)
      return rows.map(({ tag, chats }) => ({ tag, chats: Number(chats) }))
    },

    purgeDeleted: (before, atMost) => purgeBefore(db, 'deleted_at', before, atMost),
    purgeTemporary: (now, atMost) => purgeBefore(db, 'temporary_until', now, atMost),
  }
}

/** Deletes chats whose column is before a time, each in its own transaction. Returns how many were deleted. */
async function purgeBefore(
  db: Kysely<Schema>,
  column: 'deleted_at' | 'temporary_until',
  before: number,
  atMost: number,
): Promise<number> {
  const due = await db
    .selectFrom('conversations')
    .select(['owner', 'id'])
    .where(column, '<', before)
    .limit(atMost)
    .execute()
  let gone = 0
  for (const { owner, id } of due) {
    const deleted = await db.transaction().execute(async (trx) => {
      // It may be kept just now. The sum makes the database use the primary key and no other index.
      const { numDeletedRows } = await trx
        .deleteFrom('conversations')
        .where('owner', '=', owner)
        .where('id', '=', id)
        .where((eb) => eb(eb(column, '+', 0), '<', before))
        .executeTakeFirst()
      if (numDeletedRows > 0n) await settleDeleted(trx, owner, id)
      return numDeletedRows > 0n
    })
    if (deleted) gone += 1
  }
  return gone
}

async function requireProject(trx: Trx, owner: string, id: string): Promise<void> {
  const projects = trx.selectFrom('projects').select('id').where('owner', '=', owner)
  if (!(await projects.where('id', '=', id).executeTakeFirst())) throw makeError('not-found', 'store.no-project')
}

async function refuseTooManyPinned(trx: Trx, owner: string): Promise<void> {
  const { n } = await trx
    .selectFrom('conversations')
    .select((eb) => eb.fn.countAll<number | string>().as('n'))
    .where('owner', '=', owner)
    .where('pinned_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(n) > maxPinned) throw makeError('bad-request', 'store.too-many-pinned', { most: maxPinned })
}
