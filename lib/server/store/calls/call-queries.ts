import type { Kysely, Transaction, Selectable } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import {
  cancelledLine,
  decidedLine,
  finishedLine,
  releasedLine,
  stoppedLine,
} from '@/lib/shared/conversation/wire/log-lines'
import { withheldWithoutClick, asStopped, neverBegan } from '@/lib/shared/conversation/stopped-outcome'
import { loadAmendments, requireReview, sameAmendments, takeGrant } from './approval-queries'
import { callTexts, growConversation, moreBytes, refuseFull, refuseLargeEnd } from '../database/conversation-bytes'
import { lockConversation, refusePassed, requireConversation } from '../database/lock-conversation'
import { writeLog } from './log-queries'
import { callFromRow, callJson, conversationFromRow, rowFromCall, type DecodeSettings } from '../database/rows'
import type { Schema, CallTable } from '../ports/schema'
import type { DecisionBasis } from '../ports/call-store'
import type { Store } from '../ports/store'
import { loadTools } from './tool-queries'
import { sameJson } from '../database/row-formats'
import { type AppendPlan, type PlannedCall } from '../ports/conversation-store'

/** The current row of a call; undefined if nothing was decided. */
export const callRow = (
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { messageId, slot }: Pick<CallRecord, 'messageId' | 'slot'>,
): Promise<Selectable<CallTable> | undefined> =>
  trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .executeTakeFirst()

type Trx = Transaction<Schema>

const firstAttempt = (trx: Trx, owner: string, conversationId: string, record: CallRecord) =>
  trx
    .insertInto('calls')
    .values(rowFromCall(owner, conversationId, record))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

const nextAttempt = (trx: Trx, owner: string, conversationId: string, record: CallRecord) =>
  trx
    .updateTable('calls')
    .set({
      decision: record.decision,
      runner_id: record.runnerId,
      attempt: record.attempt,
      body: callJson(record).body,
      decided_at: record.decidedAt,
      // The stop belonged to the previous attempt.
      stopped: null,
    })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', record.messageId)
    .where('slot', '=', record.slot)
    .where('attempt', '=', record.attempt - 1)
    .where('decision', '=', 'run')
    .where('outcome', 'is', null)
    .where('posted_in', 'is', null)
    .returningAll()
    .executeTakeFirst()

const countOneMore = (trx: Trx, owner: string, conversationId: string, messageId: string) =>
  trx
    .updateTable('messages')
    .set((eb) => ({ runnable_calls: eb('runnable_calls', '+', 1) }))
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', messageId)
    .execute()

/** Checks everything that may have changed since the caller read it; throws, so that the decision is rolled back. */
async function refuseStale(
  trx: Trx,
  owner: string,
  conversationId: string,
  record: CallRecord,
  basis: DecisionBasis,
): Promise<void> {
  if (basis.review) await requireReview(trx, owner, conversationId, basis.review, record.decidedAt)
  await refusePassed(trx, owner, conversationId, record.messageId)
  const amendments = await loadAmendments(trx, owner, conversationId, record.messageId)
  const now = amendments.filter(({ slot }) => slot === record.slot)
  if (!sameAmendments(now, basis.amendment ? [basis.amendment] : [])) {
    throw makeError('conflict', 'store.call-changed')
  }
  if (record.decision !== 'run' || neverBegan(record.stopped)) return
  const rows = await trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', record.messageId)
    .where('decision', '=', 'run')
    .execute()
  const started = rows.filter((row) => !neverBegan(callFromRow(row).stopped))
  if (started.length > basis.maxRuns) {
    throw makeError('call-not-open', 'store.too-many-calls', { most: basis.maxRuns })
  }
}

/** Decisions and outcomes. The unique row of (conversation, message, slot) makes a call run exactly once. */
export function callQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'decideCall' | 'stopCall' | 'finishCall'> {
  return {
    decideCall: (owner, conversationId, record, basis, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const conversation = await requireConversation(trx, owner, conversationId)
        const attempt = record.attempt === 1 ? firstAttempt : nextAttempt
        const before = record.attempt === 1 ? undefined : await callRow(trx, owner, conversationId, record)
        const granted = await attempt(trx, owner, conversationId, record)
        if (granted) {
          // A denial happens once; a run will have an outcome, and may be started again.
          if (record.decision === 'run') await refuseFull(trx, owner, { maxBytes, now: record.decidedAt })
          const grown = moreBytes(callTexts(granted), before && callTexts(before))
          await growConversation(trx, owner, conversationId, grown)
          await refuseStale(trx, owner, conversationId, record, basis)
          if (basis.holds && !basis.holds(conversationFromRow(conversation, decodeSettings).settings)) {
            throw makeError('conflict', 'store.settings-changed')
          }
          if (record.by.kind === 'grant')
            await takeGrant(trx, owner, conversationId, record.by.grantId, record.decidedAt)
          if (basis.uncounted === true) await countOneMore(trx, owner, conversationId, record.messageId)
          const line = neverBegan(record.stopped) ? cancelledLine : decidedLine
          await writeLog(trx, owner, conversationId, line(record, basis.asked), record.decidedAt)
          return { granted: true, call: callFromRow(granted) }
        }
        const existing = await callRow(trx, owner, conversationId, record)
        if (!existing) throw makeError('call-not-open', 'store.never-started')
        return { granted: false, call: callFromRow(existing) }
      }),

    stopCall: (owner, conversationId, key, outcome, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const row =
          (await lockConversation(trx, owner, conversationId)) && (await callRow(trx, owner, conversationId, key))
        if (!row || row.attempt !== key.attempt || row.runner_id !== key.runnerId || row.decision !== 'run') return null
        const before = callFromRow(row)
        const known = before.stopped
        if (before.outcome || (known && (known.outcome !== null || outcome === null))) return before
        const call = { ...before, stopped: { at: known?.at ?? now, outcome } }
        const { stopped } = callJson(call)
        const grown = moreBytes([stopped], [row.stopped])
        await refuseLargeEnd(trx, owner, grown, { maxBytes, now })
        await growConversation(trx, owner, conversationId, grown)
        await trx
          .updateTable('calls')
          .set({ stopped })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', key.messageId)
          .where('slot', '=', key.slot)
          .execute()
        if (!known) await writeLog(trx, owner, conversationId, stoppedLine(call), now)
        return call
      }),

    finishCall: (owner, conversationId, key, told, isGated, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const conversation = await lockConversation(trx, owner, conversationId)
        if (!conversation) return null
        const row = await callRow(trx, owner, conversationId, key)
        if (!row || row.attempt !== key.attempt || row.runner_id !== key.runnerId || row.decision !== 'run') return null
        const before = callFromRow(row)
        if (before.outcome) return before

        const outcome = asStopped(told, before.stopped)
        const { settings } = conversationFromRow(conversation, decodeSettings)
        const after: CallRecord = { ...before, outcome, finishedAt: now }
        const gated = isGated(after, settings, await loadTools(trx, owner, conversationId))
        // The user has continued without it, so nobody will be asked: it is withheld.
        const isLate = gated && before.postedIn !== null
        const call = { ...after, gated, release: isLate ? withheldWithoutClick('overtaken', now) : before.release }
        const written = callJson(call)
        const grown = moreBytes([written.outcome, written.release], [row.outcome, row.release])
        await refuseLargeEnd(trx, owner, grown, { maxBytes, now })
        await trx
          .updateTable('calls')
          .set({
            outcome: written.outcome,
            finished_at: now,
            gated: gated ? 1 : 0,
            release: written.release,
            relay_question: null,
          })
          .where('owner', '=', owner)
          .where('conversation_id', '=', conversationId)
          .where('message_id', '=', key.messageId)
          .where('slot', '=', key.slot)
          .execute()
        await growConversation(trx, owner, conversationId, grown)
        await writeLog(trx, owner, conversationId, finishedLine(call), now)
        if (isLate) await writeLog(trx, owner, conversationId, releasedLine(call), now)
        return call
      }),
  }
}

/** Returns the added bytes; null if the call is not as it was planned. */
async function closeCall(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { before, after }: PlannedCall,
): Promise<number | null> {
  const row = rowFromCall(owner, conversationId, after)
  if (!before) {
    const inserted = await trx
      .insertInto('calls')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n ? moreBytes(callTexts(row)) : null
  }
  const { messageId, slot } = before
  const stored = await trx
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .executeTakeFirst()
  if (!stored || !isAsPlanned(callFromRow(stored), before)) return null
  // An existing outcome stays, even if it is unreadable.
  const outcome = before.outcome === null ? row.outcome : stored.outcome
  const release = before.release === null ? row.release : stored.release
  await trx
    .updateTable('calls')
    .set({
      outcome,
      ...(before.outcome === null && { finished_at: after.finishedAt, gated: after.gated ? 1 : 0 }),
      release,
      posted_in: after.postedIn,
    })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .execute()
  return moreBytes([outcome, release], [stored.outcome, stored.release])
}

/** Nothing was decided, explained, run or released since. The conversation's row is locked, so this remains true. */
const isAsPlanned = (now: CallRecord, before: CallRecord): boolean =>
  now.postedIn === null &&
  now.decision === before.decision &&
  now.attempt === before.attempt &&
  now.reason === before.reason &&
  (now.outcome === null) === (before.outcome === null) &&
  sameJson(now.release, before.release)

/** The reply's calls must be those of the plan: none amended, promoted or decided meanwhile. Returns the added bytes. */
export async function closeCalls(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  plan: AppendPlan,
): Promise<number> {
  let grown = 0
  for (const call of plan.calls) {
    const more = await closeCall(trx, owner, conversationId, call)
    if (more === null) throw makeError('call-not-open', 'store.calls-changed')
    grown += more
  }
  if (!plan.seen) return grown
  const { messageId, amendments } = plan.seen
  if (!sameAmendments(await loadAmendments(trx, owner, conversationId, messageId), amendments)) {
    throw makeError('call-not-open', 'store.calls-changed')
  }
  const left = await trx
    .selectFrom('calls')
    .select('slot')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('posted_in', 'is', null)
    .executeTakeFirst()
  if (left) throw makeError('call-not-open', 'store.calls-changed')
  return grown
}
