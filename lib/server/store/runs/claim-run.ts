import { msUntil } from '@/lib/base/clocks'
import { sql, type Kysely, type Transaction } from 'kysely'
import { z } from 'zod'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { isBrowserModel } from '@/lib/base/model-id'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { makeError } from '@/lib/i18n/t'
import { refuseFull, touchOwner } from '../database/conversation-bytes'
import type { TokenClaim } from '@/lib/shared/prompt/prompt-budget'
import { dayOf, type BudgetLine, type RunClaim, type TrialClaimStore } from '../ports/quotas'
import { correctQuota, lockSubject, takenOf, takeQuota } from './quota-queries'
import { prepared, preparedWrite } from '../database/database-time'
import { cleanTitle } from '../database/rows'
import type { Schema } from '../ports/schema'
import type { RunClaimTable } from '../ports/account-schema'
import type { RunKey, StoredRunEnding } from '../ports/run-store'
import { deletedOwners, everybody } from '../ports/store'
import { decodeStored, encodeStored, type StoredFormat } from '../database/row-formats'

type Trx = Transaction<Schema>

/** The budgets that a claim drew from; each is updated when it is settled. */
const takenFormat: StoredFormat<{ readonly pots: readonly { owner: string; name: string }[]; readonly day: number }> = {
  version: 1,
  schema: z.object({ pots: z.array(z.object({ owner: z.string(), name: z.string() })), day: z.number() }),
}

/** Soon enough for a waiting user, and rare enough for the server. */
const PLACE_SECONDS = 5

/**
 * Claims what a reply needs, within the append's transaction: a refusal rolls back the whole append. Locks the owner's
 * row first, then the address, then the budgets by name; every transaction uses this order.
 */
export async function claimRun(
  trx: Trx,
  owner: string,
  reply: Pick<AssistantMessage, 'runId' | 'conversationId' | 'model'>,
  claim: RunClaim,
  now: number,
): Promise<{ readonly queued: boolean }> {
  await touchOwner(trx, owner, now)
  const { running, queued } = await countOf(trx, owner)
  const { address } = claim
  if (address) await lockSubject(trx, address.subject, dayOf(now).endsAt)
  const byTab = claim.byTab === true
  const crowded = address !== null && (await countOf(trx, address.subject)).running >= address.maxRunning
  const waits = crowded || running >= claim.maxRunning || (!byTab && (claim.waits || queued > 0))
  // A tab has its model at hand now, so it retries instead of waiting in the queue.
  if (waits && (byTab || queued >= claim.maxQueued)) {
    const values = { running, queued, seconds: PLACE_SECONDS }
    throw makeError('rate-limited', 'store.replies-full', values, { retryAfterSeconds: PLACE_SECONDS })
  }
  await refuseFull(trx, owner, { maxBytes: claim.maxBytes, now, isHeld: true })
  await takeTokens(trx, claim, now)
  const row = {
    run_id: reply.runId,
    claimed_by: owner,
    conversation_id: reply.conversationId,
    waits: waits ? 1 : 0,
    place: 0,
    address: address?.subject ?? null,
    model: cleanTitle(reply.model).slice(0, 200),
    claimed_at: now,
  }
  const pots = claim.budgets.map((line) => ({ owner: line.owner, name: line.name }))
  const budgets = encodeStored({ pots, day: dayOf(now).startsAt }, takenFormat)
  const { tokens } = claim
  await insertClaim(trx, { ...row, owner, tokens_in: tokens.in, tokens_out: tokens.out, budgets })
  if (address) {
    const nothing = encodeStored({ pots: [], day: dayOf(now).startsAt }, takenFormat)
    const held = { ...row, owner: address.subject, tokens_in: 0, tokens_out: 0, budgets: nothing }
    await insertClaim(trx, held)
  }
  return { queued: waits }
}

const insertClaim = preparedWrite((db, row: RunClaimTable) =>
  db.insertInto('run_claims').values({
    owner: row.owner,
    run_id: row.run_id,
    claimed_by: row.claimed_by,
    conversation_id: row.conversation_id,
    waits: row.waits,
    place: row.place,
    address: row.address,
    model: row.model,
    claimed_at: row.claimed_at,
    tokens_in: row.tokens_in,
    tokens_out: row.tokens_out,
    budgets: row.budgets,
  }),
)

/** Running replies of an owner or of an address. */
export async function countOf(
  db: Kysely<Schema>,
  subject: string,
): Promise<{ readonly running: number; readonly queued: number }> {
  const [counted] = (await countClaims(db, { subject })).rows
  const queued = Number(counted?.queued ?? 0)
  return { running: (counted?.all ?? 0) - queued, queued }
}

const countClaims = prepared((db, { subject }: { readonly subject: string }) =>
  db
    .selectFrom('run_claims')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.coalesce(eb.fn.sum<number | string>('waits'), sql<number>`0`).as('queued'),
    ])
    .where('owner', '=', subject),
)

async function takeTokens(trx: Trx, { budgets, tokens }: RunClaim, now: number): Promise<void> {
  const cost = tokens.in + tokens.out
  const { startsAt, endsAt } = dayOf(now)
  const inOrder = budgets.toSorted((a, b) => (a.owner + a.name < b.owner + b.name ? -1 : 1))
  for (const line of inOrder) {
    const { owner, name, tokensPerDay: limit } = line
    if ((await takeQuota(trx, { owner, name, startsAt, endsAt }, cost, limit)) !== null) continue
    const left = Math.max(0, limit - (await takenOf(trx, line, now)))
    throw overBudget(line, { cost, left, seconds: Math.ceil(msUntil(endsAt, now) / 1000) })
  }
}

function overBudget(
  { models, tokensPerDay: limit, owner }: BudgetLine,
  { cost, left, seconds }: { readonly cost: number; readonly left: number; readonly seconds: number },
) {
  const mine = owner !== everybody
  // A request above the whole day's limit will not fit tomorrow either.
  if (cost > limit) return makeError('over-budget', 'store.budget-too-small', { models, limit, mine, needs: cost })
  const values = { models, limit, mine, needs: cost, left, seconds }
  return makeError('over-budget', 'store.budget', values, { retryAfterSeconds: seconds })
}

interface Spent extends TokenClaim {
  readonly replies: number
  readonly estimated: number
}

type Claim = Pick<RunClaimTable, 'waits' | 'model' | 'tokens_in' | 'tokens_out'>

/** The cost of a reply from its provider's token counts, or estimated from its text. */
function spentBy(claim: Claim, { outcome, usage }: Pick<StoredRunEnding, 'outcome' | 'usage'>, written: string): Spent {
  // It never left the queue, was refused before its first token, or did not use the server's model.
  const unasked =
    claim.waits !== 0 || isBrowserModel(claim.model) || (outcome === 'failed' && usage === null && written === '')
  if (unasked) return { in: 0, out: 0, replies: 0, estimated: 0 }
  const { inputTokens = null, outputTokens = null } = usage ?? {}
  return {
    in: inputTokens ?? claim.tokens_in,
    out: outputTokens ?? estimateTokens(written),
    replies: 1,
    estimated: inputTokens === null || outputTokens === null ? 1 : 0,
  }
}

/** Frees what a reply held and records its use, within the transaction that ends it. */
export async function settleRun(
  trx: Trx,
  owner: string,
  runId: string,
  ending: Pick<StoredRunEnding, 'outcome' | 'usage'>,
  message: Pick<AssistantMessage, 'text' | 'reasoning'>,
): Promise<void> {
  const [claim] = (await deleteClaim(trx, { owner, runId })).rows
  if (claim) await settle(trx, claim, spentBy(claim, ending, message.reasoning + message.text))
}

const deleteClaim = prepared((db, { owner, runId }: RunKey) =>
  db
    .deleteFrom('run_claims')
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .returning([
      'run_id',
      'claimed_by',
      'waits',
      'address',
      'model',
      'tokens_in',
      'tokens_out',
      'budgets',
      'claimed_at',
    ]),
)

/** The same for replies that are deleted with their chat. */
export async function settleDeleted(trx: Trx, owner: string, conversationId: string): Promise<void> {
  const claims = trx.deleteFrom('run_claims').where('owner', '=', owner).where('conversation_id', '=', conversationId)
  await settleLostRuns(trx, await claims.returningAll().execute())
}

/** Replies that were deleted with their rows: their reserved tokens count as used, so that deleting saves nothing. */
export async function settleLostRuns(trx: Trx, claims: readonly RunClaimTable[]): Promise<void> {
  for (const claim of claims) {
    const asked = claim.waits === 0 && !isBrowserModel(claim.model)
    const spent = { in: asked ? claim.tokens_in : 0, out: asked ? claim.tokens_out : 0 }
    await settle(trx, claim, { ...spent, replies: asked ? 1 : 0, estimated: asked ? 1 : 0 })
  }
}

async function settle(
  trx: Trx,
  claim: Omit<RunClaimTable, 'owner' | 'conversation_id' | 'place'>,
  spent: Spent,
): Promise<void> {
  if (claim.address !== null) {
    await deleteClaim(trx, { owner: claim.address, runId: claim.run_id })
  }
  const taken = decodeStored(claim.budgets, takenFormat)
  const day = taken?.day ?? dayOf(claim.claimed_at).startsAt
  // An owner who deleted everything meanwhile has no row any more, and must not get one again.
  const isHere = (await findOwner(trx, { owner: claim.claimed_by })).rows.length > 0
  const usedBy = isHere ? claim.claimed_by : deletedOwners
  if (spent.replies > 0) await addUsage(trx, { ...spent, owner: usedBy, model: claim.model, day })
  const change = spent.in + spent.out - claim.tokens_in - claim.tokens_out
  const pots = (taken?.pots ?? []).toSorted((a, b) => (a.owner + a.name < b.owner + b.name ? -1 : 1))
  for (const { owner, name } of pots) await correctQuota(trx, { owner, name, startsAt: day }, change)
}

const findOwner = prepared((db, { owner }: { readonly owner: string }) =>
  db.selectFrom('owners').select('owner').where('owner', '=', owner),
)

const addUsage = preparedWrite(
  (db, used: Spent & { readonly owner: string; readonly model: string; readonly day: number }) =>
    db
      .insertInto('usage')
      .values({
        owner: used.owner,
        day: used.day,
        model: used.model,
        replies: used.replies,
        tokens_in: used.in,
        tokens_out: used.out,
        estimated: used.estimated,
      })
      .onConflict((conflict) =>
        conflict.columns(['owner', 'day', 'model']).doUpdateSet({
          replies: sql<number>`usage.replies + excluded.replies`,
          tokens_in: sql<number>`usage.tokens_in + excluded.tokens_in`,
          tokens_out: sql<number>`usage.tokens_out + excluded.tokens_out`,
          estimated: sql<number>`usage.estimated + excluded.estimated`,
        }),
      ),
)

/** No chat can have this id. */
export const NO_CHAT = '(trial)'

export const trialClaims = (db: Kysely<Schema>): TrialClaimStore => ({
  claimTrial: (owner, { id, model }, claim, now) =>
    db.transaction().execute(async (trx) => {
      // A trial is never queued: the client retries, and chats have priority.
      const reply = { runId: id, conversationId: NO_CHAT, model }
      await claimRun(trx, owner, reply, { ...claim, waits: false, maxQueued: 0 }, now)
    }),

  async beatTrial(owner, id, now) {
    await db
      .updateTable('run_claims')
      .set({ claimed_at: now })
      .where((row) => row.and({ owner, run_id: id, conversation_id: NO_CHAT }))
      .execute()
  },

  settleTrial: (owner, id, ending, written) =>
    db.transaction().execute((trx) => settleRun(trx, owner, id, ending, { text: written, reasoning: '' })),
})
