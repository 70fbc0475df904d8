import type { UseView } from '@/lib/conversation/api-types'
import { dayOf } from '@/lib/store/fair-use'
import { everybody } from '@/lib/store/subjects'
import type { ChatServicePorts } from './chat-service-ports'
import { budgetLines } from './claim-of-append'
import { anonymousVisitor, type Visitor } from './fair-use-limits'

export interface UseService {
  /** What is left for an owner today, and what they keep. */
  use(owner: string, visitor?: Visitor): Promise<UseView>
  /** Stops what is written for an owner and deletes all of theirs; gives the ids of the chats, whose files are in browsers. Done again after a failure it goes on where it was. */
  removeAll(owner: string): Promise<readonly string[]>
}

/** Chats of one step: others have their turn in between. */
const STEP = 20

export function createUseService({
  store,
  runLog,
  clock,
  limits,
  breathe,
}: Pick<ChatServicePorts, 'store' | 'runLog' | 'clock' | 'limits' | 'breathe'>): UseService {
  const { fair } = limits

  async function removeAllOf(owner: string): Promise<readonly string[]> {
    for (const run of await store.runningOf(owner)) await runLog.stop(run)
    const gone: string[] = []
    for (;;) {
      const { deleted, more } = await store.deleteOwnerData(owner, STEP)
      gone.push(...deleted)
      if (!more) return gone
      await breathe()
    }
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
      const gone: string[] = []
      // A chat whose reply is being written follows its person to the account later: it is theirs as well.
      for (const one of [...(await store.comingTo(owner)), owner]) gone.push(...(await removeAllOf(one)))
      return gone
    },
  }
}
