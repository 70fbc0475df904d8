import { type MonotonicClock, msUntil } from '@/lib/base/clocks'
import type { QuotaWindow } from '@/lib/server/store/ports/quotas'
import type { BudgetRule, AskerRole } from '@/lib/shared/models/budget'

/*
 * Rate limits per subject: requests of an owner, bytes from an address, wrong tokens of everyone together. Each process
 * keeps the remaining allowance of each subject. It refills from one of two sources: a bucket that fills over time
 * (`createOwnRate`), or a window that all nodes share (`createSharedRate`).
 */

/** A rate limit of this process alone; the number of remembered subjects is bounded. */
export interface OwnRate {
  /** Returns the seconds to wait, or 0 if a request of `cost` (default: 1) may pass. */
  wait(subject: string, cost?: number): number
  /** Whether nothing may pass; consumes nothing. */
  isEmpty(subject: string): boolean
}

/** How many subjects one process remembers per rate. */
const MAX_SUBJECTS = 20_000
/** If all of them are in use, this share of the oldest is dropped at once to make room. */
const FORGOTTEN_AT_ONCE = 1 / 4

/**
 * Keeps a state per subject. `begin` creates the state of a new subject, or of one whose state `isOver`, which can be
 * dropped without any effect. If there are too many, the longest unused are dropped first; at worst that eases the
 * limit for a flood.
 */
export function createSubjects<State>(
  { begin, isOver }: { readonly begin: () => State; readonly isOver: (state: State) => boolean },
  most = MAX_SUBJECTS,
): (subject: string) => State {
  const states = new Map<string, State>()
  const makeSpace = () => {
    if (states.size < most) return
    for (const [subject, state] of states) if (isOver(state)) states.delete(subject)
    if (states.size < most) return
    const left = Math.floor(most * (1 - FORGOTTEN_AT_ONCE))
    for (const subject of states.keys()) {
      if (states.size <= left) return
      states.delete(subject)
    }
  }
  return (subject) => {
    const known = states.get(subject)
    if (known === undefined) makeSpace()
    else states.delete(subject)
    const state = known === undefined || isOver(known) ? begin() : known
    states.set(subject, state)
    return state
  }
}

/** A token bucket: allows `burst` at once, and refills by `perSecond`. */
export function createOwnRate(options: {
  readonly burst: number
  readonly perSecond: number
  readonly monotonic: MonotonicClock
  readonly maxSubjects?: number
}): OwnRate {
  const { burst, perSecond, monotonic, maxSubjects } = options
  interface Bucket {
    level: number
    at: number
  }
  const levelOf = ({ level, at }: Bucket) => Math.min(burst, level + ((monotonic() - at) / 1000) * perSecond)
  const stateOf = createSubjects<Bucket>(
    { begin: () => ({ level: burst, at: monotonic() }), isOver: (bucket) => levelOf(bucket) >= burst },
    maxSubjects,
  )
  return {
    isEmpty: (subject) => levelOf(stateOf(subject)) < 1,

    wait(subject, cost = 1) {
      const bucket = stateOf(subject)
      const level = levelOf(bucket)
      if (level < cost) return Math.ceil((cost - level) / perSecond)
      bucket.level = level - cost
      bucket.at = monotonic()
      return 0
    },
  }
}

/** A limit per subject and time window, on all nodes together. */
interface SharedRate {
  /**
   * Returns the seconds to wait, or 0 if a request of `cost` (default: 1) may pass. Never rejects: if the store is
   * unavailable, nothing is limited.
   */
  wait(subject: string, cost?: number): Promise<number>
}

interface SharedRateOptions {
  readonly name: string
  readonly windowMs: number
  readonly limit: number
  /**
   * A node takes this many at a time from the store, and grants as many before it asks, so that occasional requests
   * cost no query. In total, `limit` plus one share per node may pass.
   */
  readonly share: number
  /** The shared clock of all nodes; otherwise their windows would differ. */
  readonly now: () => number
  readonly take: (window: QuotaWindow, cost: number, limit: number) => Promise<number | null>
}

interface Held {
  readonly startsAt: number
  used: number
  granted: number
  /** A request of this cost no longer fits. */
  tooMuch: number
  asking: Promise<void> | null
}

export function createSharedRate({ name, windowMs, limit, share, now, take }: SharedRateOptions): SharedRate {
  const windowOf = () => Math.floor(now() / windowMs) * windowMs
  const heldOf = createSubjects<Held>({
    begin: () => ({ startsAt: windowOf(), used: 0, granted: Math.min(share, limit), tooMuch: Infinity, asking: null }),
    isOver: ({ startsAt }) => startsAt !== windowOf(),
  })

  async function ask(subject: string, mine: Held, needed: number): Promise<void> {
    const window = { owner: subject, name, startsAt: mine.startsAt, endsAt: mine.startsAt + windowMs }
    const wanted = Math.max(share, needed)
    try {
      if ((await take(window, wanted, limit)) !== null) mine.granted += wanted
      // The rest of a window may be smaller than a share. If the limit itself is smaller than a share, the initial
      // grant was everything.
      else if (needed < wanted && share <= limit && (await take(window, needed, limit)) !== null) mine.granted += needed
      else mine.tooMuch = Math.min(mine.tooMuch, needed)
    } catch {
      mine.granted += wanted
    }
  }

  return {
    async wait(subject, cost = 1) {
      const mine = heldOf(subject)
      for (;;) {
        const needed = mine.used + cost - mine.granted
        if (needed <= 0) {
          mine.used += cost
          return 0
        }
        if (needed >= mine.tooMuch) return Math.max(1, Math.ceil(msUntil(mine.startsAt + windowMs, now()) / 1000))
        mine.asking ??= ask(subject, mine, needed).finally(() => (mine.asking = null))
        await mine.asking
      }
    },
  }
}

/** The caller, as far as rate limits need it. */
export interface Visitor {
  readonly role: AskerRole
  /** The keyed hash of the address, if a trusted proxy reported it; never the address itself. */
  readonly address: string | null
}

export const anonymousVisitor: Visitor = { role: 'anonymous', address: null }

/** How a server's resources are shared; on all nodes together unless noted otherwise. */
export interface QuotaLimits {
  /** Concurrent replies for all visitors from one address. */
  readonly maxRunsPerAddress: number
  /** Concurrent readers of running replies from one address on one node. */
  readonly maxStreamsPerAddress: number
  /** Queued replies of one owner. */
  readonly maxQueuedPerOwner: number
  /** Queued replies in this process. */
  readonly maxQueued: number
  /** The storage of one owner in bytes; null: unlimited. */
  readonly maxBytesPerOwner: number | null
  readonly budgets: readonly BudgetRule[]
  /** Chats that were not used for this long are deleted; null: never. */
  readonly retentionDays: number | null
}
