import type { Kysely, Transaction, Selectable } from 'kysely'
import { decodeStored, encodeStored, relayQuestionFormat } from '../database/row-formats'
import type { Schema, CallTable } from '../ports/schema'
import { makeError } from '@/lib/i18n/t'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { innerDecidedLine, innerFinishedLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes, refuseFull, refuseLargeEnd } from '../database/conversation-bytes'
import { lockConversation } from '../database/lock-conversation'
import { callFromRow, callJson, conversationFromRow, type DecodeSettings } from '../database/rows'
import type { CallAttempt } from '../ports/call-store'
import type { Store } from '../ports/store'
import { takeGrant } from './approval-queries'
import { callRow } from './call-queries'
import { writeLog } from './log-queries'

/*
 * Calls that this app's server passes on to a tool server of the operator. `relay_question` is where a question of that
 * server waits for its answer, which another process may receive: null, then `{ "open": 1 }`, then
 * `{ "open": 1, "answer": … }`, and null again.
 */

const open = (question: number): string => encodeStored({ open: question }, relayQuestionFormat)

const updateCall = (
  db: Kysely<Schema> | Transaction<Schema>,
  owner: string,
  conversationId: string,
  { messageId, slot, attempt }: CallAttempt,
) =>
  db
    .updateTable('calls')
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', messageId)
    .where('slot', '=', slot)
    .where('attempt', '=', attempt)
    .where('decision', '=', 'run')

/** Claims a granted call for this app's server; false if it was claimed before, stopped, ended or decided again. */
export async function claimCall(
  trx: Transaction<Schema>,
  owner: string,
  conversationId: string,
  key: CallAttempt,
): Promise<boolean> {
  const claimed = await updateCall(trx, owner, conversationId, key)
    .set({ relayed: key.attempt })
    .where('outcome', 'is', null)
    .where('stopped', 'is', null)
    .where((eb) => eb.or([eb('relayed', 'is', null), eb('relayed', '<', key.attempt)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows === 1n
}

export function relayQueries(
  db: Kysely<Schema>,
): Pick<Store, 'openRelayQuestion' | 'answerRelayQuestion' | 'takeRelayAnswer'> {
  return {
    async openRelayQuestion(owner, conversationId, key, question) {
      await updateCall(db, owner, conversationId, key)
        .set({ relay_question: question === null ? null : open(question) })
        .execute()
    },

    async answerRelayQuestion(owner, conversationId, key, question, answer) {
      const answered = await updateCall(db, owner, conversationId, key)
        .set({ relay_question: encodeStored({ open: question, answer }, relayQuestionFormat) })
        .where('outcome', 'is', null)
        .where('relay_question', '=', open(question))
        .executeTakeFirst()
      return answered.numUpdatedRows === 1n
    },

    async takeRelayAnswer(owner, conversationId, { messageId, slot, attempt }, question) {
      const row = await db
        .selectFrom('calls')
        .select('relay_question')
        .where('owner', '=', owner)
        .where('conversation_id', '=', conversationId)
        .where('message_id', '=', messageId)
        .where('slot', '=', slot)
        .where('attempt', '=', attempt)
        .executeTakeFirst()
      const stored = row?.relay_question ?? null
      const known = stored === null ? undefined : decodeStored(stored, relayQuestionFormat)
      return known?.open === question ? (known.answer ?? null) : null
    },
  }
}

type Trx = Transaction<Schema>

/**
 * The row of a call that runs, as it was granted; undefined for any other. `page`: of a call that has ended, whose page
 * may be open in any tab.
 */
async function grantedRow(
  trx: Trx,
  owner: string,
  conversationId: string,
  key: CallAttempt & { readonly runnerId: string },
  page: boolean,
): Promise<Selectable<CallTable> | undefined> {
  const row = await callRow(trx, owner, conversationId, key)
  if (row?.decision !== 'run' || row.attempt !== key.attempt) return undefined
  if (page) return row.outcome === null ? undefined : row
  return row.runner_id === key.runnerId && row.outcome === null ? row : undefined
}

const store = (trx: Trx, owner: string, conversationId: string, call: CallRecord) =>
  trx
    .updateTable('calls')
    .set({ inner_calls: callJson(call).inner_calls })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('message_id', '=', call.messageId)
    .where('slot', '=', call.slot)
    .execute()

const isUnsent = ({ decision, outcome, relayed }: InnerCall): boolean =>
  decision === 'run' && outcome === null && relayed !== true

const isAskedAgain = (known: InnerCall, inner: InnerCall): boolean =>
  canonicalJson([known.name, known.arguments]) === canonicalJson([inner.name, inner.arguments])

/**
 * Tools that the code of a running call asks for, stored in the call's row under the lock of its conversation; and the
 * claim of a call, or of such a tool, by this app's server.
 */
export function innerQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'decideInner' | 'finishInner' | 'claimRelay'> {
  return {
    decideInner: (owner, conversationId, key, inner, { holds, maxInner }, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const conversation = await lockConversation(trx, owner, conversationId)
        const row = conversation && (await grantedRow(trx, owner, conversationId, key, inner.page === true))
        if (!conversation || !row) return null
        const before = callFromRow(row)
        const known = (before.inner ?? []).find(({ n, attempt }) => n === inner.n && attempt === inner.attempt)
        if (known) {
          if (!isAskedAgain(known, inner)) throw makeError('conflict', 'store.inner-number')
          return { granted: false, call: before }
        }
        if (before.stopped && !inner.page) return null
        const ofAttempt = (before.inner ?? []).filter(({ attempt }) => attempt === inner.attempt)
        if (ofAttempt.length >= maxInner) throw makeError('call-not-open', 'store.inner-many', { most: maxInner })
        if (holds && !holds(conversationFromRow(conversation, decodeSettings).settings)) {
          throw makeError('conflict', 'store.settings-changed')
        }
        await refuseFull(trx, owner, { maxBytes, now: inner.decidedAt })
        if (inner.by.kind === 'grant') {
          await takeGrant(trx, owner, conversationId, inner.by.grantId, inner.decidedAt)
        }
        const call = { ...before, inner: [...(before.inner ?? []), inner] }
        await growConversation(trx, owner, conversationId, moreBytes([callJson(call).inner_calls], [row.inner_calls]))
        await store(trx, owner, conversationId, call)
        await writeLog(trx, owner, conversationId, innerDecidedLine(call, inner), inner.decidedAt)
        return { granted: true, call }
      }),

    finishInner: (owner, conversationId, { n, ...key }, outcome, now, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        if (!(await lockConversation(trx, owner, conversationId))) return null
        const row = await callRow(trx, owner, conversationId, key)
        if (!row) return null
        const before = callFromRow(row)
        const isIt = (inner: InnerCall) => inner.n === n && inner.attempt === key.attempt
        const known = (before.inner ?? []).find(isIt)
        if (known?.decision !== 'run') return null
        if (!(await grantedRow(trx, owner, conversationId, key, known.page === true))) return null
        if (known.outcome) return before
        const ended = { ...known, outcome }
        const call = { ...before, inner: (before.inner ?? []).map((inner) => (isIt(inner) ? ended : inner)) }
        const grown = moreBytes([callJson(call).inner_calls], [row.inner_calls])
        await refuseLargeEnd(trx, owner, grown, { maxBytes, now })
        await growConversation(trx, owner, conversationId, grown)
        await store(trx, owner, conversationId, call)
        await writeLog(trx, owner, conversationId, innerFinishedLine(call, ended), now)
        return call
      }),

    claimRelay: (owner, conversationId, { inner: n, ...key }) =>
      db.transaction().execute(async (trx) => {
        if (n === undefined) return claimCall(trx, owner, conversationId, key)
        if (!(await lockConversation(trx, owner, conversationId))) return false
        const row = await callRow(trx, owner, conversationId, key)
        if (row?.attempt !== key.attempt) return false
        // Code calls tools while its call runs, a page after its call has ended.
        const isRunning = row.decision === 'run' && row.outcome === null && !row.stopped
        const before = callFromRow(row)
        const isIt = (inner: InnerCall) =>
          inner.n === n && inner.attempt === key.attempt && isUnsent(inner) && (inner.page === true || isRunning)
        if (!before.inner?.some(isIt)) return false
        const inner = before.inner.map((one) => (isIt(one) ? { ...one, relayed: true as const } : one))
        const call = { ...before, inner }
        const grown = moreBytes([callJson(call).inner_calls], [row.inner_calls])
        await growConversation(trx, owner, conversationId, grown)
        await store(trx, owner, conversationId, call)
        return true
      }),
  }
}
