import { createHmac } from 'node:crypto'
import { msUntil } from '@/lib/base/clocks'
import { createSharedRate, type QuotaLimits, type Visitor } from '@/lib/server/quota/rate'
import type { BudgetRule, AskerRole } from '@/lib/shared/models/budget'
import { makeError } from '@/lib/i18n/t'
import { dayOf } from '@/lib/server/store/ports/quotas'
import { type Store, type Visit, addressSubject } from '@/lib/server/store/ports/store'
import { settingsTable, type Settings } from '@/lib/server/settings/settings-table'

/** What the routes ask before they let someone do something; seconds to wait, or 0. */
export interface Quotas {
  visitorOf(request: Request, role?: AskerRole): Visitor
  /** Of a known owner. */
  requestWait(owner: string, visitor: Visitor): Promise<number>
  /** Notes that an owner is here, once a day and process. */
  visited(owner: string, visitor: Visitor): void
  /** Before this many bytes that came are kept; refuses as AppError `rate-limited` what is more than a day's for an address. */
  admitBytes(visitor: Visitor, bytes: number): Promise<void>
  /** Before a visitor becomes someone new. */
  newVisitorWait(visitor: Visitor): Promise<number>
}

/** Numbers that anyone who runs the server may set. */
export interface QuotaSettings extends QuotaLimits {
  readonly requestsPerMinute: number
  readonly requestsPerMinuteOfAddress: number
  readonly newcomersPerHour: number
  readonly bytesPerDayOfAddress: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Visits are noted together, some time later. */
const NOTE_VISITS_MS = 15_000
const VISITS_AT_ONCE = 500
/** Owners of a day that a process remembers; forgetting them costs a write. */
const MAX_SEEN = 50_000

/** `isPersonal`: a server for this machine alone has room for whatever its person keeps. */
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
    /** Of a request, as far as it can be trusted. */
    readonly clientAddress: (request: Request) => string | null
    readonly secret: Uint8Array
    readonly now: () => number
    readonly store: Pick<Store, 'takeQuota' | 'noteVisits'>
    /** Runs the task after this many milliseconds. */
    readonly after: (ms: number, task: () => void) => void
  },
): Quotas {
  const { now, store } = ports
  const take: Store['takeQuota'] = (...asked) => store.takeQuota(...asked)
  const { requestsPerMinute, requestsPerMinuteOfAddress, bytesPerDayOfAddress } = settings
  const shared = (name: string, limit: number, windowMs: number, shares: number) =>
    createSharedRate({ name, limit, share: Math.max(1, Math.ceil(limit / shares)), windowMs, now, take })
  const perMinute = (name: string, limit: number) => shared(name, limit, MINUTE_MS, 8)
  const ofOwner = perMinute('requests', requestsPerMinute)
  const ofAddress = perMinute('requests', requestsPerMinuteOfAddress)

  const bytesOfAddress = shared('bytes', bytesPerDayOfAddress, DAY_MS, 64)

  const seen = new Map<string, number>()
  let unnoted: Visit[] = []

  /** What could not be noted is noted with the next request. */
  async function noteAll(): Promise<void> {
    const visits = unnoted
    unnoted = []
    for (let at = 0; at < visits.length; at += VISITS_AT_ONCE) {
      const some = visits.slice(at, at + VISITS_AT_ONCE)
      await store.noteVisits(some, now()).catch(() => some.forEach(({ owner }) => seen.delete(owner)))
    }
  }

  return {
    visited(owner, { role }) {
      const today = dayOf(now()).startsAt
      if (seen.get(owner) === today) return
      if (seen.size >= MAX_SEEN) seen.clear()
      seen.set(owner, today)
      // Not at once: when many come together, their first replies need the database.
      if (unnoted.length === 0) ports.after(NOTE_VISITS_MS, () => void noteAll())
      unnoted.push({ owner, hasAccount: role !== 'anonymous' })
    },

    visitorOf(request, role = 'anonymous') {
      const address = ports.clientAddress(request)
      // Keyed, so that no one finds an address by trying all of them on what is stored.
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
      // Not where the store is away: what comes of the request says so better.
      const taken = await take(window, 1, settings.newcomersPerHour).catch(() => 1)
      return taken === null ? Math.ceil(msUntil(window.endsAt, now()) / 1000) : 0
    },
  }
}
