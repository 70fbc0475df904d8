import type { MonotonicClock } from '@/lib/base/clocks'

/*
 * How much of something a subject may have: requests of an owner, bytes from an address, wrong tokens of everybody together. A
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
/** Where all of them count, so many of the oldest go at once: room for the next. */
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

/** Lets bursts through and holds floods back: `burst` at once, and so many more as `perSecond` gives back. */
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
