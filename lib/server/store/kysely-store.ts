import { type Kysely, sql, type ExpressionBuilder } from 'kysely'
import { accountQueries, sessionQueries } from './accounts/account-queries'
import { appendQueries } from './chats/append-queries'
import { amendmentQueries, grantQueries, reviewQueries } from './calls/approval-queries'
import { branchQueries } from './chats/branch-queries'
import { callQueries, callRow } from './calls/call-queries'
import { innerQueries, relayQueries } from './calls/inner-queries'
import { copyQueries } from './calls/copy-queries'
import { conversationQueries } from './chats/conversation-queries'
import { deletionQueries } from './chats/deletion-queries'
import { quotaRowQueries } from './runs/quota-row-queries'
import { invitationQueries } from './accounts/invitation-queries'
import { importQueries, imageQueries } from './chats/import-queries'
import { indexQueries } from './chats/index-queries'
import { logQueries, writeLog } from './calls/log-queries'
import { ownerMoveQueries } from './accounts/owner-move-queries'
import { timeOf, type DatabaseTime } from './database/database-time'
import { type DecodeSettings, callFromRow, callJson, decodeOnce } from './database/rows'
import { presetQueries } from './sharing/preset-queries'
import { projectQueries } from './sharing/project-queries'
import { toolServerQueries } from './sharing/tool-server-queries'
import { ownerDataQueries } from './accounts/owner-data-queries'
import { runEventQueries, type RelaxedTransaction } from './chats/run-event-queries'
import { runQueries, releaseQueries } from './runs/run-queries'
import { searchQueries } from './search/search-queries'
import { shareQueries } from './sharing/share-queries'
import { toolQueries } from './calls/tool-queries'
import { trialClaims } from './runs/claim-run'
import type { Schema } from './ports/schema'
import { type Store, actsOfAdmins } from './ports/store'
import { tabRunQueries } from './chats/tab-run-queries'
import { summaryQueries, chatListQueries } from './chats/chat-list-queries'
import { viewQueries } from './chats/view-queries'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'
import { SYSTEM_OWNER } from './ports/account-schema'
import { lockSubject } from './runs/quota-queries'
import { makeError } from '@/lib/i18n/t'
import { explainedLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes } from './database/conversation-bytes'
import { requireConversation, ownConversation } from './database/lock-conversation'

/** Per chat: more than anyone uses; the most recent ones are kept. */
const MOST_BROWSERS = 50

/** Which browser has the files of a conversation. */
function fileLocationQueries(db: Kysely<Schema>): Pick<AccountRows, 'recordFilePlace' | 'listFilePlaces'> {
  return {
    async recordFilePlace(owner, conversationId, { browserId, browser, files, at }) {
      if (!(await ownConversation(db, owner, conversationId))) return
      await db
        .insertInto('file_places')
        .values({ owner, conversation_id: conversationId, browser_id: browserId, browser, files, at })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'conversation_id', 'browser_id']).doUpdateSet({ browser, files, at }),
        )
        .execute()
      const ofChat = (row: ExpressionBuilder<Schema, 'file_places'>) =>
        row.and({ owner, conversation_id: conversationId })
      await db
        .deleteFrom('file_places')
        .where(ofChat)
        .where(
          'browser_id',
          'not in',
          db.selectFrom('file_places').select('browser_id').where(ofChat).orderBy('at', 'desc').limit(MOST_BROWSERS),
        )
        .execute()
    },

    async listFilePlaces(owner, conversationId) {
      const rows = await db
        .selectFrom('file_places')
        .select(['browser_id', 'browser', 'files', 'at'])
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .orderBy('at', 'desc')
        .execute()
      return rows.map(({ browser_id: browserId, ...row }) => ({ browserId, ...row }))
    },
  }
}

/** Records actions of administrators: the only way to write to the audit log. */
const auditedQuery = (db: Kysely<Schema>): Pick<AccountRows, 'audited'> => ({
  audited: (change) =>
    db.transaction().execute(async (trx) => {
      await lockSubject(trx, actsOfAdmins, Number.MAX_SAFE_INTEGER)
      const { findAccount, listAccounts, setRole, setDisabled } = accountQueries(trx)
      const { endSessions } = sessionQueries(trx)
      const { addInvitation, revokeInvitation } = invitationQueries(trx)
      const { entry, gives } = await change({
        findAccount,
        listAccounts,
        setRole,
        setDisabled,
        endSessions,
        addInvitation,
        revokeInvitation,
      })
      await trx
        .insertInto('audit')
        .values({ owner: SYSTEM_OWNER, ...entry, detail: JSON.stringify(entry.detail) })
        .execute()
      return gives
    }),
})

/** The store on any Kysely with current tables. `close` closes the database too. */
export function createKyselyStore(
  db: Kysely<Schema>,
  options: {
    readonly kind: Store['kind']
    readonly decodeSettings: DecodeSettings
    readonly relaxed: RelaxedTransaction
    /** For the frequent writes of replies, above all heartbeats: they wait for no other request. */
    readonly ofReplies: RelaxedTransaction
    readonly time: DatabaseTime
    /** This process, as recorded in its runs; omitted: not recorded. */
    readonly process?: number
    readonly ping: (db: Kysely<Schema>) => Promise<void>
  },
): Store {
  const decodeSettings = decodeOnce(options.decodeSettings)
  return {
    kind: options.kind,
    ...conversationQueries(db, decodeSettings, options.relaxed),
    ...branchQueries(db, decodeSettings),
    ...viewQueries(db, decodeSettings),
    ...deletionQueries(db),
    ...summaryQueries(db),
    ...appendQueries(db, decodeSettings, options),
    ...callQueries(db, decodeSettings),
    ...relayQueries(db),
    ...innerQueries(db, decodeSettings),
    ...copyQueries(db, decodeSettings),
    ...releaseQueries(db),
    ...denialQueries(db),
    ...amendmentQueries(db),
    ...grantQueries(db),
    ...imageQueries(db),
    ...quotaRowQueries(db),
    ...trialClaims(db),
    ...ownerDataQueries(db),
    ...importQueries(db, decodeSettings),
    ...indexQueries(db, options.kind, options.relaxed),
    ...logQueries(db),
    ...searchQueries(db, options.kind),
    ...shareQueries(db),
    ...reviewQueries(db),
    ...chatListQueries(db),
    ...presetQueries(db),
    ...projectQueries(db),
    ...toolQueries(db, decodeSettings),
    ...toolServerQueries(db, decodeSettings),
    ...runQueries(db, options.time),
    ...runEventQueries(db, options.ofReplies, options.time),
    ...tabRunQueries(db, options.relaxed, options.time),
    accounts: {
      ...accountQueries(db),
      ...sessionQueries(db),
      ...invitationQueries(db),
      ...auditedQuery(db),
      ...signInAttemptQueries(db),
      ...ownerMoveQueries(db),
      ...fileLocationQueries(db),
    },
    database: { db, type: options.kind },
    ...pruneQueries(db, options.time),
    ping: () => options.ping(db),
    time: () => timeOf(db, options.time),
    close: () => db.destroy(),
  }
}

/** Deletes old rows. Due runs are selected over all owners; their rows are deleted owner by owner. */
function pruneQueries(db: Kysely<Schema>, time: DatabaseTime): Pick<Store, 'pruneRunEvents'> {
  return {
    pruneRunEvents: (endedForMs) =>
      db.transaction().execute(async (trx) => {
        const pruned = await trx
          .updateTable('runs')
          .set({ events_pruned: 1 })
          .where('events_pruned', '=', 0)
          // Evaluated once: otherwise PostgreSQL compares with the clock row by row, through the whole table.
          .where('ended_at', '<', sql<number>`(select ${time.now()} - ${endedForMs})`)
          .returning(['owner', 'id'])
          .execute()
        for (const [owner, runs] of Map.groupBy(pruned, (run) => run.owner)) {
          // In parts: SQLite accepts at most 32,766 parameters.
          for (let at = 0; at < runs.length; at += 1000) {
            const ids = runs.slice(at, at + 1000).map(({ id }) => id)
            await trx.deleteFrom('run_events').where('owner', '=', owner).where('run_id', 'in', ids).execute()
          }
        }
      }),
  }
}

/** Sign-in attempts, counted on all nodes together: one statement per attempt, so that concurrent ones count too. */
function signInAttemptQueries(db: Kysely<Schema>): Pick<AccountRows, 'countTry' | 'forgetTry' | 'forgetTriesBefore'> {
  return {
    async countTry(subject, windowAt, limit) {
      const counted = await db
        .insertInto('sign_in_tries')
        .values({ owner: SYSTEM_OWNER, subject, window_at: windowAt, tries: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['owner', 'subject', 'window_at'])
            .doUpdateSet({ tries: sql<number>`sign_in_tries.tries + 1` })
            .where('sign_in_tries.tries', '<', limit),
        )
        .returning('tries')
        .execute()
      return counted.length > 0
    },

    async forgetTry(subject, windowAt) {
      await db
        .updateTable('sign_in_tries')
        .set({ tries: sql<number>`tries - 1` })
        .where('owner', '=', SYSTEM_OWNER)
        .where('subject', '=', subject)
        .where('window_at', '=', windowAt)
        .where('tries', '>', 0)
        .execute()
    },

    async forgetTriesBefore(windowAt) {
      await db.deleteFrom('sign_in_tries').where('owner', '=', SYSTEM_OWNER).where('window_at', '<', windowAt).execute()
    },
  }
}

/** Adds the reason of a denial to its row until the denial was sent. */
function denialQueries(db: Kysely<Schema>): Pick<Store, 'explainDenial'> {
  return {
    explainDenial: (owner, conversationId, key, reason, now) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const row = await callRow(trx, owner, conversationId, key)
        const before = row && callFromRow(row)
        if (before?.decision !== 'deny' || before.by.kind !== 'click') {
          throw makeError('call-not-open', 'store.nothing-denied')
        }
        if (before.reason === reason) return before
        if (before.postedIn !== null) throw makeError('call-not-open', 'store.reason-late')
        if (before.reason !== '') return before

        const call = { ...before, reason }
        const { body } = callJson(call)
        await trx
          .updateTable('calls')
          .set({ body })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', key.messageId)
          .where('slot', '=', key.slot)
          .execute()
        await growConversation(trx, owner, conversationId, moreBytes([body], [row?.body ?? null]))
        await writeLog(trx, owner, conversationId, explainedLine(call), now)
        return call
      }),
  }
}
