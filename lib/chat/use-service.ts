import type { UseView } from '@/lib/conversation/api-types'
import { dayOf } from '@/lib/store/fair-use'
import { everybody } from '@/lib/store/subjects'
import type { ChatServicePorts } from './chat-service-ports'
import { budgetLines } from './claim-of-append'
import { anonymousVisitor, type Visitor } from './fair-use-limits'

export interface UseService {
  /** What is left for an owner today, and what they keep. */
  use(owner: string, visitor?: Visitor): Promise<UseView>
  /**
   * Stops what is written for an owner and hides all of theirs at once, for good; the sweep deletes the rows. Gives how many chats.
   * May be done again after a failure.
   */
  removeAll(owner: string): Promise<number>
}

export function createUseService({
  store,
  runLog,
  clock,
  limits,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock' | 'limits'>): UseService {
  const { fair } = limits

  async function removeAllOf(owner: string): Promise<number> {
    for (const run of await store.runningOf(owner)) await runLog.stop(run)
    return store.eraseOwner(owner)
  }

  return {
    async use(owner, visitor = anonymousVisitor) {
      const now = clock.now()
      const lines = budgetLines(owner, visitor, fair.budgets, null)
      const taken = await store.budgetsTaken(lines, now)
      return {
        ...(await store.ownerData(owner)),
        budgets: lines.map(({ owner: whose, models, tokensPerDay: limit }, at) => ({
          models,
          mine: whose !== everybody,
          limit,
          left: Math.max(0, limit - (taken[at] ?? 0)),
        })),
        resetsAt: dayOf(now).endsAt,
        maxBytes: fair.maxBytesPerOwner,
        retentionDays: fair.retentionDays,
      }
    },

    async removeAll(owner) {
      let gone = 0
      // A chat whose reply is being written follows its person to the account later: it is theirs as well.
      for (const one of [...(await store.comingTo(owner)), owner]) gone += await removeAllOf(one)
      return gone
    },
  }
}
