import type { Kysely, Selectable, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { innerDecidedLine, innerFinishedLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes, refuseFull, refuseLargeEnd } from '../database/conversation-bytes'
import { lockConversation } from '../database/lock-conversation'
import { callFromRow, callJson, conversationFromRow, type DecodeSettings } from '../database/rows'
import type { CallAttempt } from '../ports/call-store'
import type { CallTable, Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { takeGrant } from './approval-queries'
import { callRow } from './call-queries'
import { writeLog } from './log-queries'

type Trx = Transaction<Schema>

/** The row of a running call that was granted; undefined for any other call. */
async function runningRow(
  trx: Trx,
  owner: string,
  conversationId: string,
  key: CallAttempt & { readonly runnerId: string },
): Promise<Selectable<CallTable> | undefined> {
  const row = await callRow(trx, owner, conversationId, key)
  const isGranted = row?.decision === 'run' && row.attempt === key.attempt && row.runner_id === key.runnerId
  return isGranted && row.outcome === null ? row : undefined
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

const isAskedAgain = (known: InnerCall, inner: InnerCall): boolean =>
  canonicalJson([known.name, known.arguments]) === canonicalJson([inner.name, inner.arguments])

/** Tools that the code of a running call asks for. They are stored in the call's row, under the lock of its conversation. */
export function innerQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'decideInner' | 'finishInner'> {
  return {
    decideInner: (owner, conversationId, key, inner, { holds, maxInner }, maxBytes = null) =>
      db.transaction().execute(async (trx) => {
        const conversation = await lockConversation(trx, owner, conversationId)
        const row = conversation && (await runningRow(trx, owner, conversationId, key))
        if (!conversation || !row) return null
        const before = callFromRow(row)
        const known = (before.inner ?? []).find(({ n, attempt }) => n === inner.n && attempt === inner.attempt)
        if (known) {
          if (!isAskedAgain(known, inner)) throw makeError('conflict', 'store.inner-number')
          return { granted: false, call: before }
        }
        if (before.stopped) return null
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
        const row = await runningRow(trx, owner, conversationId, key)
        if (!row) return null
        const before = callFromRow(row)
        const isIt = (inner: InnerCall) => inner.n === n && inner.attempt === key.attempt
        const known = (before.inner ?? []).find(isIt)
        if (known?.decision !== 'run') return null
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
  }
}
