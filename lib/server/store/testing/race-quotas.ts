import { setTimeout as wait } from 'node:timers/promises'
import type { BudgetLine, RunClaim } from '../ports/quotas'
import type { Store } from '../ports/store'
import { testConversation, testPlan } from './rows'

/** How many of all concurrent requests, of all processes, passed. */
export interface QuotaTotals {
  readonly running: number
  readonly queued: number
  readonly spent: number
  readonly requests: number
}

const NOW = Date.UTC(2026, 0, 2, 12)
const BUDGET: BudgetLine = { owner: 'spender', name: 'mine *', tokensPerDay: 1_250, models: '*' }
const roomy: RunClaim = {
  maxRunning: 1_000,
  maxQueued: 0,
  waits: false,
  address: null,
  maxBytes: null,
  tokens: { in: 60, out: 40 },
  budgets: [],
}

/** Waits until this many processes have arrived. */
async function meet(store: Store, index: number, processes: number): Promise<void> {
  await store.createConversation('gate', testConversation(`ready-${index}`))
  while ((await store.listConversations('gate', '', 100)).length < processes) await wait(20)
}

/**
 * How many of `count` appends, as many appends with a budget, and as many requests one of several processes gets
 * through, all at once.
 */
export async function raceQuotas(
  store: Store,
  { index, processes, count }: { readonly index: number; readonly processes: number; readonly count: number },
): Promise<QuotaTotals> {
  const append = async (owner: string, at: number, claim: RunClaim) => {
    const id = `${index}-${at}`
    await store.createConversation(owner, testConversation(id))
    return () =>
      store.append(owner, id, 'u1', { ...testPlan(id, 1), claim }, NOW).catch((error: unknown) => {
        const { code } = error as { code?: string }
        if (code === 'rate-limited' || code === 'over-budget') return null
        throw error
      })
  }
  const all = Array.from({ length: count }, (_, at) => at)
  const writes = await Promise.all(all.map((at) => append('writer', at, { ...roomy, maxRunning: 7, maxQueued: 5 })))
  const spends = await Promise.all(all.map((at) => append('spender', at, { ...roomy, budgets: [BUDGET] })))
  const window = { owner: 'asker', name: 'requests', startsAt: NOW, endsAt: NOW + 60_000 }
  await meet(store, index, processes)
  const written = await Promise.all(writes.map((write) => write()))
  const spent = await Promise.all(spends.map((spend) => spend()))
  const requests = await Promise.all(all.map(() => store.takeQuota(window, 20, 500)))
  return {
    running: written.filter((answer) => answer?.queued === false).length,
    queued: written.filter((answer) => answer?.queued === true).length,
    spent: spent.filter((answer) => answer !== null).length,
    requests: requests.filter((answer) => answer !== null).length,
  }
}
