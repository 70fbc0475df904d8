import { createHmac } from 'node:crypto'
import type { FairUseLimits, Visitor } from '@/lib/chat/fair-use-limits'
import { createSharedRate } from '@/lib/chat/shared-rate'
import type { BudgetRule, Role } from '@/lib/models/budget'
import type { QuotaWindow } from '@/lib/store/fair-use'
import { addressSubject } from '@/lib/store/subjects'
import { addressOf } from './newcomers.server'

type Env = Readonly<Record<string, string | undefined>>

/** What the routes ask before they let somebody do something; seconds to wait, or 0. */
export interface FairUse {
  visitorOf(request: Request, role?: Role): Visitor
  /** Of a known owner. */
  requestWait(owner: string, visitor: Visitor): Promise<number>
  /** Before a visitor becomes somebody new. */
  newcomerWait(visitor: Visitor): Promise<number>
}

/** Numbers that whoever runs the server may set. */
export interface FairUseSettings extends FairUseLimits {
  readonly requestsPerMinute: number
  readonly requestsPerMinuteOfAddress: number
  readonly newcomersPerHour: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** `maxBytes`: for a server that others reach; one for this machine alone has no need of it. */
export function readFairUse(
  env: Env,
  { budgets, maxBytes }: { readonly budgets: readonly BudgetRule[]; readonly maxBytes: number | null },
): FairUseSettings {
  const number = (name: string, otherwise: number) => {
    const value = Number(env[name] || otherwise)
    return Number.isFinite(value) && value >= 0 ? value : otherwise
  }
  const pot = (name: string, whose: BudgetRule['for']): readonly BudgetRule[] =>
    env[name] ? [{ models: '*', for: whose, tokensPerDay: number(name, 0) }] : []
  return {
    maxRunsPerAddress: number('NOD_MAX_RUNS_PER_ADDRESS', 16),
    maxQueued: number('NOD_MAX_QUEUED', 200),
    maxQueuedPerOwner: number('NOD_MAX_QUEUED_PER_OWNER', 8),
    maxBytesPerOwner: env['NOD_MAX_BYTES_PER_OWNER'] ? number('NOD_MAX_BYTES_PER_OWNER', 0) : maxBytes,
    budgets: [
      ...budgets,
      ...pot('NOD_BUDGET_TOKENS_PER_DAY', 'everybody'),
      ...pot('NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON', 'each'),
    ],
    requestsPerMinute: number('NOD_REQUESTS_PER_MINUTE', 1_800),
    requestsPerMinuteOfAddress: number('NOD_REQUESTS_PER_MINUTE_PER_ADDRESS', 6_000),
    newcomersPerHour: number('NOD_NEWCOMERS_PER_HOUR', 300),
  }
}

export function createFairUse(
  settings: FairUseSettings,
  ports: {
    readonly env: Env
    readonly secret: Uint8Array
    readonly now: () => number
    readonly take: (window: QuotaWindow, cost: number, limit: number) => Promise<number | null>
  },
): FairUse {
  const { now, take } = ports
  const { requestsPerMinute, requestsPerMinuteOfAddress } = settings
  const perMinute = (name: string, limit: number) =>
    createSharedRate({ name, limit, share: Math.max(1, Math.ceil(limit / 8)), windowMs: MINUTE_MS, now, take })
  const ofOwner = perMinute('requests', requestsPerMinute)
  const ofAddress = perMinute('requests', requestsPerMinuteOfAddress)

  return {
    visitorOf(request, role = 'anonymous') {
      const address = addressOf(request, ports.env)
      // Keyed, so that nobody finds an address by trying all of them on what is stored.
      const key = address && createHmac('sha256', ports.secret).update(`address ${address}`).digest('base64url')
      return { role, address: key && key.slice(0, 22) }
    },

    async requestWait(owner, { address }) {
      const wait = await ofOwner.wait(owner)
      return wait || (address === null ? 0 : ofAddress.wait(addressSubject(address)))
    },

    async newcomerWait({ address }) {
      if (address === null) return 0
      const startsAt = Math.floor(now() / HOUR_MS) * HOUR_MS
      const window = { owner: addressSubject(address), name: 'newcomers', startsAt, endsAt: startsAt + HOUR_MS }
      // Not where the store is away: what comes of the request says so better.
      const taken = await take(window, 1, settings.newcomersPerHour).catch(() => 1)
      return taken === null ? Math.ceil((window.endsAt - now()) / 1000) : 0
    },
  }
}
