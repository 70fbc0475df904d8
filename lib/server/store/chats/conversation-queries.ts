import type { Kysely, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { settingsLine } from '@/lib/shared/conversation/wire/log-lines'
import { settleDeleted } from '../runs/claim-run'
import { grownBy, moreBytes, refuseFull, storedBytes, touchOwner } from '../database/conversation-bytes'
import {
  conversationColumns,
  lockConversation,
  ownConversation,
  ofMessages,
  type ChatKey,
} from '../database/lock-conversation'
import { writeLog, logBytes } from '../calls/log-queries'
import { prepared } from '../database/database-time'
import type { Schema } from '../ports/schema'
import { marksFormat, encodeStored } from '../database/row-formats'
import {
  amendmentFromRow,
  callFromRow,
  cleanTitle,
  conversationFromRow,
  foldForSearch,
  grantFromRow,
  messagesFromRows,
  type DecodeSettings,
} from '../database/rows'
import type { RelaxedTransaction } from './run-event-queries'
import type { Store } from '../ports/store'
import type { StoredConversation } from '../ports/conversation-store'
import { hasContext } from '@/lib/shared/conversation/settings/project'
import { loadPromptContext } from '../sharing/project-queries'
import { loadToolsAndSets } from '../calls/tool-queries'

type ConversationQueries = Pick<
  Store,
  'createConversation' | 'loadConversation' | 'updateConversation' | 'deleteConversation'
>

/** Conversations and everything that is loaded with them. */
export function conversationQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
  relaxed: RelaxedTransaction,
): ConversationQueries {
  return {
    async createConversation(owner, conversation, maxBytes = null, { isFollowed = false, temporaryUntil = null } = {}) {
      // The sender of a first message has just looked for its chat.
      const known = isFollowed ? undefined : await ownConversation(db, owner, conversation.id)
      if (known) return conversationFromRow(known, decodeSettings)
      const settings = JSON.stringify(conversation.settings)
      const now = conversation.createdAt
      const make = async (trx: Transaction<Schema>) => {
        // Also without a limit: otherwise chats of an owner without a row could not be found after the owner has left
        // for good.
        if (maxBytes === null) await touchOwner(trx, owner, now)
        else await refuseFull(trx, owner, { maxBytes, now })
        const { rows } = await insertNew(trx, {
          owner,
          id: conversation.id,
          title: cleanTitle(conversation.title),
          titleSearch: foldForSearch(conversation.title),
          settings,
          bytes: storedBytes(settings),
          createdAt: conversation.createdAt,
          updatedAt: conversation.updatedAt,
          importedAt: conversation.importedAt ?? null,
          temporaryUntil,
          project: temporaryUntil === null ? (conversation.project ?? null) : null,
        })
        const row = rows[0] ?? (await ownConversation(trx, owner, conversation.id))
        if (!row) throw makeError('not-found', 'store.no-chat')
        return conversationFromRow(row, decodeSettings)
      }
      return isFollowed ? relaxed(make) : db.transaction().execute(make)
    },

    loadConversation: (owner, id) => readChat(db, { owner, conversationId: id }, decodeSettings, loadAll),

    updateConversation: (owner, id, patch, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const before = await lockConversation(trx, owner, id)
        if (!before) return null
        const changes = {
          ...(patch.title !== undefined && {
            title: cleanTitle(patch.title),
            title_search: foldForSearch(patch.title),
          }),
          ...(patch.settings && { settings: JSON.stringify(patch.settings) }),
          ...(patch.headId !== undefined && { head_id: patch.headId }),
          ...(patch.marks !== undefined && { marks: patch.marks && encodeStored(patch.marks, marksFormat) }),
          ...(patch.updatedAt !== undefined && { updated_at: patch.updatedAt }),
          // An ordinary chat never becomes temporary.
          ...(patch.temporaryUntil !== undefined &&
            before.temporary_until !== null && { temporary_until: patch.temporaryUntil }),
        }
        const { settings = before.settings, marks = before.marks } = changes
        const grown = moreBytes([settings, marks], [before.settings, before.marks])
        const line = patch.settings && settingsLine(decodeSettings(before.settings).settings, patch.settings)
        // The log entry of a change is stored too, and could grow without limit.
        if (grown + (line ? logBytes(line) : 0) > 0) await refuseFull(trx, owner, { maxBytes, now })
        if (Object.keys(changes).length > 0) {
          await trx
            .updateTable('conversations')
            .set({ ...changes, bytes: grownBy(grown) })
            .where('owner', '=', owner)
            .where('id', '=', id)
            .execute()
        }
        if (line) await writeLog(trx, owner, id, line, now)
        return conversationFromRow({ ...before, ...changes }, decodeSettings)
      }),

    deleteConversation: (owner, id) =>
      db.transaction().execute(async (trx) => {
        const result = await trx
          .deleteFrom('conversations')
          .where('owner', '=', owner)
          .where('id', '=', id)
          .executeTakeFirst()
        await settleDeleted(trx, owner, id)
        return result.numDeletedRows > 0n
      }),
  }
}

interface NewConversation {
  readonly owner: string
  readonly id: string
  readonly title: string
  readonly titleSearch: string
  readonly settings: string
  readonly bytes: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly importedAt: number | null
  readonly temporaryUntil: number | null
  readonly project: string | null
}

/** Returns its row; none if another request created it first. */
const insertNew = prepared((db, made: NewConversation) =>
  db
    .insertInto('conversations')
    .values({
      owner: made.owner,
      id: made.id,
      title: made.title,
      title_search: made.titleSearch,
      settings: made.settings,
      bytes: made.bytes,
      head_id: null,
      created_at: made.createdAt,
      updated_at: made.updatedAt,
      imported_at: made.importedAt,
      temporary_until: made.temporaryUntil,
      project_id: made.project,
    })
    .onConflict((conflict) => conflict.columns(['owner', 'id']).doNothing())
    .returning(conversationColumns),
)

/** The parts of a conversation that do not grow with every turn. */
export interface SiblingConversation {
  readonly owner: string
  readonly stored: Omit<StoredConversation, 'messages' | 'calls' | 'amendments'>
  /** The running reply. */
  readonly writing: ReadonlySet<string>
}

/** One transaction, so that messages, calls and the running run are consistent. Null: no such conversation. */
export const readChat = <T>(
  db: Kysely<Schema>,
  { owner, conversationId }: ChatKey,
  decodeSettings: DecodeSettings,
  work: (trx: Transaction<Schema>, beside: SiblingConversation) => Promise<T>,
): Promise<T | null> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const beside = await loadBeside(trx, owner, conversationId, decodeSettings)
      return beside && work(trx, beside)
    })

const grantsOf = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('grants')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at')
    .orderBy('id'),
)

const runningOf = prepared((db, { owner, conversationId }: ChatKey) =>
  db
    .selectFrom('runs')
    .select(['id', 'message_id', 'side'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('status', '=', 'running'),
)

async function loadBeside(
  trx: Transaction<Schema>,
  owner: string,
  id: string,
  decodeSettings: DecodeSettings,
): Promise<SiblingConversation | null> {
  const row = await ownConversation(trx, owner, id)
  if (!row) return null
  const chat = { owner, conversationId: id }
  const { rows: grants } = await grantsOf(trx, chat)
  const runs = (await runningOf(trx, chat)).rows.toSorted((a, b) => (a.side < b.side ? -1 : 1))
  const sides = runs.filter(({ side }) => side !== '')
  const conversation = {
    ...conversationFromRow(row, decodeSettings),
    headId: await headOf(trx, owner, id, row.head_id),
  }
  const context = hasContext(conversation) ? await loadPromptContext(trx, chat) : null
  const stored = {
    conversation,
    ...(context && { context }),
    grants: grants.map(grantFromRow),
    ...(await loadToolsAndSets(trx, owner, id)),
    activeRunId: runs[0]?.id ?? null,
    ...(sides.length > 0 && { sideRunIds: sides.map((run) => run.id) }),
  }
  return { owner, stored, writing: new Set(runs.map((run) => run.message_id)) }
}

/** A head that is no message of the chat would hide everything. */
async function headOf(
  trx: Transaction<Schema>,
  owner: string,
  id: string,
  named: string | null,
): Promise<string | null> {
  if (named === null) return null
  const messages = trx.selectFrom('messages').select('id').where('owner', '=', owner).where('conversation_id', '=', id)
  const head =
    (await messages.where('id', '=', named).executeTakeFirst()) ??
    (await messages.orderBy('seq', 'desc').limit(1).executeTakeFirst())
  return head?.id ?? named
}

export async function loadAll(
  trx: Transaction<Schema>,
  { owner, stored, writing }: SiblingConversation,
): Promise<StoredConversation> {
  const { id } = stored.conversation
  const messages = await trx
    .selectFrom('messages')
    .select(['id', 'body', 'parent_id'])
    .where('owner', '=', owner)
    .where('conversation_id', '=', id)
    .orderBy('seq')
    .execute()
  const chat = { owner, conversationId: id }
  const calls = await ofMessages(trx, 'calls', chat, 'all')
  const amendments = await ofMessages(trx, 'amendments', chat, 'all')
  return {
    ...stored,
    messages: messagesFromRows(id, messages, writing),
    calls: calls.map(callFromRow),
    amendments: amendments.map(amendmentFromRow),
  }
}
