import { isGrantActive, type OpenCopy } from '@/lib/shared/calls/copy'
import type { Kysely, Transaction } from 'kysely'
import { makeError } from '@/lib/i18n/t'
import { bytesOf, excessOf } from '@/lib/shared/calls/effects'
import type { CallRecord, Grant } from '@/lib/shared/conversation/call-record'
import type { CopyScope } from '@/lib/shared/conversation/copy-scopes'
import { grantUsedLine } from '@/lib/shared/conversation/wire/log-lines'
import { growConversation, moreBytes } from '../database/conversation-bytes'
import { requireConversation } from '../database/lock-conversation'
import { encodeStored, scopeFormat } from '../database/row-formats'
import { callFromRow, conversationFromRow, grantFromRow, type DecodeSettings } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { findGrant, requireReview, takeGrant } from './approval-queries'
import { writeLog } from './log-queries'

type Reader = Kysely<Schema> | Transaction<Schema>

async function grantOf(db: Reader, owner: string, conversationId: string, id: string): Promise<Grant | null> {
  const row = await findGrant(db, owner, conversationId, id).executeTakeFirst()
  return row ? grantFromRow(row) : null
}

async function copyOf(db: Reader, owner: string, conversationId: string, id: string): Promise<OpenCopy> {
  const copy = await grantOf(db, owner, conversationId, id)
  if (copy?.scope.kind !== 'copy') throw makeError('not-found', 'chat.grant.none')
  return { ...copy, scope: copy.scope }
}

async function storeScope(
  db: Transaction<Schema>,
  owner: string,
  conversationId: string,
  { id, scope: before }: OpenCopy,
  scope: CopyScope,
): Promise<void> {
  const after = encodeStored(scope, scopeFormat)
  await db
    .updateTable('grants')
    .set({ scope: after })
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('id', '=', id)
    .execute()
  await growConversation(db, owner, conversationId, moreBytes([after], [encodeStored(before, scopeFormat)]))
}

/** While a copy is open, every call of its chat runs on it. */
async function runsSince(
  db: Reader,
  owner: string,
  conversationId: string,
  { createdAt }: Grant,
): Promise<readonly CallRecord[]> {
  const rows = await db
    .selectFrom('calls')
    .selectAll()
    .where('owner', '=', owner)
    .where('conversation_id', '=', conversationId)
    .where('decision', '=', 'run')
    .where('decided_at', '>=', createdAt)
    .orderBy('decided_at')
    .orderBy('slot')
    .execute()
  return rows.map(callFromRow)
}

const keyOf = ({ messageId, slot, attempt }: Pick<CallRecord, 'messageId' | 'slot' | 'attempt'>): string =>
  `${messageId} ${slot} ${attempt}`

/** Queries for grants of the kind `effects`, which keep a copy's changes. */
export function copyQueries(
  db: Kysely<Schema>,
  decodeSettings: DecodeSettings,
): Pick<Store, 'runsOnCopy' | 'allowCopy' | 'showCopy' | 'answerCopy'> {
  return {
    async runsOnCopy(owner, conversationId, copyId) {
      const copy = await grantOf(db, owner, conversationId, copyId)
      if (copy?.scope.kind !== 'copy' || copy.revokedAt !== null) return null
      return runsSince(db, owner, conversationId, copy)
    },

    allowCopy: (owner, conversationId, copyId, { effects, seen }, now) =>
      db.transaction().execute(async (trx) => {
        const conversation = await requireConversation(trx, owner, conversationId)
        const copy = await grantOf(trx, owner, conversationId, copyId)
        if (copy?.scope.kind !== 'copy' || copy.scope.under === undefined) {
          throw makeError('conflict', 'store.copy-not-under')
        }
        // Decided meanwhile: that decision counts.
        if (copy.revokedAt !== null) return copy
        const { under, allowed } = copy.scope
        const grant = await grantOf(trx, owner, conversationId, under)
        const { requireConfirmation } = conversationFromRow(conversation, decodeSettings).settings.tools
        const isUsable =
          grant?.scope.kind === 'effects' &&
          !requireConfirmation &&
          // A copy uses one run, however often it asks: it asks again if the page crashed before the files changed.
          (allowed ? grant.revokedAt === null : isGrantActive(grant, now))
        if (grant?.scope.kind !== 'effects' || !isUsable) throw makeError('conflict', 'store.copy-not-under')
        if (excessOf(grant.scope, effects).length > 0) throw makeError('conflict', 'store.copy-beyond')
        const looked = new Set(seen.map(keyOf))
        const runs = await runsSince(trx, owner, conversationId, copy)
        const isStill = runs.every(
          (run) => looked.has(keyOf(run)) && (run.outcome ?? run.stopped?.outcome ?? null) !== null,
        )
        if (!isStill) throw makeError('conflict', 'store.copy-moved-on')
        if (allowed && allowed.files === effects.length && allowed.bytes === bytesOf(effects)) return copy

        if (!allowed) await takeGrant(trx, owner, conversationId, under, now)
        const scope: CopyScope = {
          ...copy.scope,
          allowed: { at: now, files: effects.length, bytes: bytesOf(effects) },
        }
        await storeScope(trx, owner, conversationId, { ...copy, scope: copy.scope }, scope)
        await writeLog(trx, owner, conversationId, grantUsedLine(under, copyId, effects), now)
        return { ...copy, scope }
      }),

    showCopy: (owner, conversationId, copyId, shown, now) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const copy = await copyOf(trx, owner, conversationId, copyId)
        if (copy.revokedAt !== null || copy.scope.look?.answer) throw makeError('conflict', 'store.copy-answered')
        // Two states of one millisecond need two names.
        const look = { ...shown, at: Math.max(now, (copy.scope.look?.at ?? 0) + 1) }
        await storeScope(trx, owner, conversationId, copy, { ...copy.scope, look })
        return look
      }),

    answerCopy: (owner, conversationId, copyId, { kind, from, reviewer, to, over, review }) =>
      db.transaction().execute(async (trx) => {
        await requireConversation(trx, owner, conversationId)
        const copy = await copyOf(trx, owner, conversationId, copyId)
        const { look } = copy.scope
        if (copy.revokedAt !== null || !look) return { copy, isFirst: false }
        if (to !== undefined) {
          const runs = await runsSince(trx, owner, conversationId, copy)
          if (look.at !== to || runs.some(({ decidedAt }) => decidedAt > to)) {
            throw makeError('conflict', 'chat.look.copy-changed')
          }
        }
        if (look.answer && look.at !== over) return { copy, isFirst: false }
        if (review) await requireReview(trx, owner, conversationId, review, review.now)
        const answer = { kind, from, ...(reviewer !== undefined && { reviewer }) }
        const scope = { ...copy.scope, look: { ...look, answer } }
        await storeScope(trx, owner, conversationId, copy, scope)
        return { copy: { ...copy, scope }, isFirst: true }
      }),
  }
}
