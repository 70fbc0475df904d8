import { createHmac } from 'node:crypto'
import { msUntil } from '@/lib/base/clocks'
import { createSharedRate, type QuotaLimits, type Visitor } from '@/lib/server/quota/rate'
import type { BudgetRule, AskerRole } from '@/lib/shared/models/budget'
import { makeError } from '@/lib/i18n/t'
import { dayOf } from '@/lib/server/store/ports/quotas'
import { type Store, type Visit, addressSubject } from '@/lib/server/store/ports/store'
import { settingsTable, type Settings } from '@/lib/server/settings/settings-table'

/** The limits that routes check before an action; in seconds to wait, or 0. */
export interface Quotas {
  visitorOf(request: Request, role?: AskerRole): Visitor
  /** For a known owner. */
  requestWait(owner: string, visitor: Visitor): Promise<number>
  /** Records a visit of an owner, once per day and process. */
  visited(owner: string, visitor: Visitor): void
  /**
   * Call it before storing this many received bytes; refuses with AppError `rate-limited` what exceeds an address's
   * daily limit.
   */
  admitBytes(visitor: Visitor, bytes: number): Promise<void>
  /** Call it before a visitor becomes a new owner. */
  newVisitorWait(visitor: Visitor): Promise<number>
}

/** Limits that the operator can set. */
export interface QuotaSettings extends QuotaLimits {
  readonly requestsPerMinute: number
  readonly requestsPerMinuteOfAddress: number
  readonly newcomersPerHour: number
  readonly bytesPerDayOfAddress: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Visits are recorded together after this delay. */
const NOTE_VISITS_MS = 15_000
const VISITS_AT_ONCE = 500
/** How many owners per day a process remembers; forgetting one costs a write. */
const MAX_SEEN = 50_000

/** `isPersonal`: a server for this machine alone has no storage limit. */
export function quotasOf(settings: Settings, budgets: readonly BudgetRule[], isPersonal: boolean): QuotaSettings {
  const pot = (whose: BudgetRule['for'], tokensPerDay: number): readonly BudgetRule[] =>
    tokensPerDay === 0 ? [] : [{ models: '*', for: whose, tokensPerDay }]
  const bytes = settings.NOD_MAX_BYTES_PER_OWNER
  const unsaid = bytes === settingsTable.NOD_MAX_BYTES_PER_OWNER.default
  return {
    maxRunsPerAddress: settings.NOD_MAX_RUNS_PER_ADDRESS,
    maxStreamsPerAddress: settings.NOD_MAX_STREAMS_PER_ADDRESS,
    maxQueued: settings.NOD_MAX_QUEUED,
    maxQueuedPerOwner: settings.NOD_MAX_QUEUED_PER_OWNER,
    maxBytesPerOwner: bytes === 0 || (isPersonal && unsaid) ? null : bytes,
    budgets: [
      ...budgets,
      ...pot('everybody', settings.NOD_BUDGET_TOKENS_PER_DAY),
      ...pot('each', settings.NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON),
    ],
    retentionDays: settings.NOD_RETENTION_DAYS || null,
    requestsPerMinute: settings.NOD_REQUESTS_PER_MINUTE,
    requestsPerMinuteOfAddress: settings.NOD_REQUESTS_PER_MINUTE_PER_ADDRESS,
    newcomersPerHour: settings.NOD_NEWCOMERS_PER_HOUR,
    bytesPerDayOfAddress: settings.NOD_BYTES_PER_DAY_PER_ADDRESS,
  }
}

export function createQuotas(
  settings: QuotaSettings,
  ports: {
    /** The address of a request, as far as it can be trusted. */
    readonly clientAddress: (request: Request) => string | null
    readonly secret: Uint8Array
    readonly now: () => number
    readonly store: Pick<Store, 'takeQuota' | 'recordVisits'>
    /** Runs the task after this many milliseconds. */
    readonly after: (ms: number, task: () => void) => void
  },
): Quotas {
  const { now, store } = ports
  const take: Store['takeQuota'] = (...args) => store.takeQuota(...args)
  const { requestsPerMinute, requestsPerMinuteOfAddress, bytesPerDayOfAddress } = settings
  const shared = (name: string, limit: number, windowMs: number, shares: number) =>
    createSharedRate({ name, limit, share: Math.max(1, Math.ceil(limit / shares)), windowMs, now, take })
  const perMinute = (name: string, limit: number) => shared(name, limit, MINUTE_MS, 8)
  const ofOwner = perMinute('requests', requestsPerMinute)
  const ofAddress = perMinute('requests', requestsPerMinuteOfAddress)

  const bytesOfAddress = shared('bytes', bytesPerDayOfAddress, DAY_MS, 64)

  const seen = new Map<string, number>()
  let unrecorded: Visit[] = []

  /** Failed records are retried with the next request. */
  async function recordAll(): Promise<void> {
    const visits = unrecorded
    unrecorded = []
    for (let at = 0; at < visits.length; at += VISITS_AT_ONCE) {
      const some = visits.slice(at, at + VISITS_AT_ONCE)
      await store.recordVisits(some, now()).catch(() => some.forEach(({ owner }) => seen.delete(owner)))
    }
  }

  return {
    visited(owner, { role }) {
      const today = dayOf(now()).startsAt
      if (seen.get(owner) === today) return
      if (seen.size >= MAX_SEEN) seen.clear()
      seen.set(owner, today)
      // Not at once: when many arrive together, their first replies need the database.
      if (unrecorded.length === 0) ports.after(NOTE_VISITS_MS, () => void recordAll())
      unrecorded.push({ owner, hasAccount: role !== 'anonymous' })
    },

    visitorOf(request, role = 'anonymous') {
      const address = ports.clientAddress(request)
      // A keyed hash, so that nobody can find an address by hashing all of them.
      const key = address && createHmac('sha256', ports.secret).update(`address ${address}`).digest('base64url')
      return { role, address: key && key.slice(0, 22) }
    },

    async requestWait(owner, { address }) {
      const wait = await ofOwner.wait(owner)
      return wait || (address === null ? 0 : ofAddress.wait(addressSubject(address)))
    },

    async admitBytes({ address }, bytes) {
      if (address === null || bytes === 0) return
      const seconds = await bytesOfAddress.wait(addressSubject(address), bytes)
      if (seconds === 0) return
      const values = { limit: bytesPerDayOfAddress, seconds }
      throw makeError('rate-limited', 'server.too-many-bytes', values, { retryAfterSeconds: seconds })
    },

    async newVisitorWait({ address }) {
      if (address === null) return 0
      const startsAt = Math.floor(now() / HOUR_MS) * HOUR_MS
      const window = { owner: addressSubject(address), name: 'newcomers', startsAt, endsAt: startsAt + HOUR_MS }
      // Ignored if the store is unavailable: the request itself will report that better.
      const taken = await take(window, 1, settings.newcomersPerHour).catch(() => 1)
      return taken === null ? Math.ceil(msUntil(window.endsAt, now()) / 1000) : 0
    },
  }
}
