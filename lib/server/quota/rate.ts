import { type MonotonicClock, msUntil } from '@/lib/base/clocks'
import type { QuotaWindow } from '@/lib/server/store/ports/quotas'
import type { BudgetRule, AskerRole } from '@/lib/shared/models/budget'

/*
 * How much of something a subject may have: requests of an owner, bytes from an address, wrong tokens of everyone together. A
 * process remembers for each subject what it may still have; where more comes from is the supply's: a bucket fills with time
 * (`createOwnRate`), a window that all nodes share gives pieces (`createSharedRate`, `shared-rate.ts`).
 */

/** A guard of this process alone; how many subjects it knows is bounded. */
export interface OwnRate {
  /** Seconds to wait, or 0 when this one, of `cost` (left out: 1), may pass. */
  wait(subject: string, cost?: number): number
  /** Whether nothing may pass; takes nothing. */
  isEmpty(subject: string): boolean
}

/** Subjects that one process remembers of a rate. */
const MAX_SUBJECTS = 20_000
/** Where all of them count, this many of the oldest go at once: room for the next. */
const FORGOTTEN_AT_ONCE = 1 / 4

/**
 * What is known of each subject. `begin`: of one that is new, or whose state `isOver`: to forget it changes nothing. Who asked
 * longest ago goes first, which at worst lets a flood breathe.
 */
export function createSubjects<State>(
  { begin, isOver }: { readonly begin: () => State; readonly isOver: (state: State) => boolean },
  most = MAX_SUBJECTS,
): (subject: string) => State {
  const states = new Map<string, State>()
  const makeRoom = () => {
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
    if (known === undefined) makeRoom()
    else states.delete(subject)
    const state = known === undefined || isOver(known) ? begin() : known
    states.set(subject, state)
    return state
  }
}

/** Lets bursts through and holds floods back: `burst` at once, and this many more as `perSecond` gives back. */
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

/** So many in a window of time, for each subject, on all nodes together. */
interface SharedRate {
  /** Seconds to wait, or 0 when this one, of `cost` (left out: 1), may pass. Never rejects: a store that is away limits no one. */
  wait(subject: string, cost?: number): Promise<number>
}

interface SharedRateOptions {
  readonly name: string
  readonly windowMs: number
  readonly limit: number
  /**
   * A node takes this many at a time from the store, and gives as many away before it asks: who asks seldom costs no query.
   * So `limit` and as many more a node may pass in all.
   */
  readonly share: number
  /** The clock that all nodes share, or windows would not be the same ones. */
  readonly now: () => number
  readonly take: (window: QuotaWindow, cost: number, limit: number) => Promise<number | null>
}

interface Held {
  readonly startsAt: number
  used: number
  granted: number
  /** What costs so much does not fit any longer. */
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
      // The last piece of a window is smaller than a share; of a window that is none itself, the share given away was all.
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

/** Who asks, as far as limits go. */
export interface Visitor {
  readonly role: AskerRole
  /** The keyed hash of the address, where a trusted proxy said it; never the address itself. */
  readonly address: string | null
}

export const anonymousVisitor: Visitor = { role: 'anonymous', address: null }

/** How what a server has is shared; on all its nodes together where nothing else is said. */
export interface QuotaLimits {
  /** Replies that are written at a time for all who come from one address. */
  readonly maxRunsPerAddress: number
  /** Views of running replies that all who come from one address hold open on one node. */
  readonly maxStreamsPerAddress: number
  /** Replies of one owner that wait for a place. */
  readonly maxQueuedPerOwner: number
  /** Replies that wait in this process. */
  readonly maxQueued: number
  /** What one owner may keep; null: any amount. */
  readonly maxBytesPerOwner: number | null
  readonly budgets: readonly BudgetRule[]
  /** Chats that no one touched for so long are deleted; null: never. */
  readonly retentionDays: number | null
}
