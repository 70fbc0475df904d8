import { isOver } from '@/lib/base/clocks'

/*
 * Statistics on how the user decides on cards. This browser counts, only its user sees the figures, and nothing is
 * sent. Once approving has become a reflex, the page says so, a single time.
 */

/** One press, which may decide on several cards. */
export interface Decision {
  /** Epoch milliseconds. */
  readonly at: number
  /** How long the user could read the question; null: not known. */
  readonly ms: number | null
  readonly isApproval: boolean
  readonly cards: number
}

/** Counts of the last seven days. */
export interface AttentionFacts {
  readonly cards: number
  /** Presses with a known reading time. The figures below are about these. */
  readonly timed: number
  readonly medianMs: number | null
  /** Approvals faster than `fastMs`. */
  readonly fast: number
  readonly isReflex: boolean
}

/** Nobody reads a question in this time. */
export const fastMs = 1_500
const windowMs = 7 * 24 * 60 * 60 * 1_000
const minDecisions = 20
const reflexShare = 0.8
const maxKept = 500

const key = 'nod:attention'

interface Kept {
  readonly isSaid: boolean
  readonly rows: readonly Decision[]
}

export interface AttentionPorts {
  /** The user's storage; null: the browser stores nothing, so nothing is counted. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  readonly now: () => number
  /** Does the work unless another tab is already doing it. */
  readonly alone: (work: () => Promise<boolean>) => Promise<boolean>
}

/** Whether a decision is within the window. */
const isRecent = ({ at }: Decision, now: number): boolean => !isOver(at + windowMs, now)

export function factsOf(rows: readonly Decision[], now: number): AttentionFacts {
  const recent = rows.filter((row) => isRecent(row, now) && isOver(row.at, now))
  const times = recent.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b)
  const fast = recent.filter(({ ms, isApproval }) => isApproval && ms !== null && ms <= fastMs).length
  return {
    cards: recent.reduce((sum, { cards }) => sum + cards, 0),
    timed: times.length,
    medianMs: times[Math.floor(times.length / 2)] ?? null,
    fast,
    isReflex: times.length >= minDecisions && fast >= times.length * reflexShare,
  }
}

export function createAttention({ storage, now, alone }: AttentionPorts) {
  function read(): Kept {
    try {
      const { isSaid, rows } = JSON.parse(storage?.getItem(key) ?? '{}') as Partial<Record<keyof Kept, unknown>>
      return { isSaid: isSaid === true, rows: Array.isArray(rows) ? rows.filter(isDecision) : [] }
    } catch {
      return { isSaid: false, rows: [] }
    }
  }
  function write(next: Kept): boolean {
    try {
      storage?.setItem(key, JSON.stringify({ ...next, rows: next.rows.slice(-maxKept) }))
      return storage !== null
    } catch {
      return false
    }
  }
  return {
    record(decision: Decision): void {
      const { isSaid, rows } = read()
      write({ isSaid, rows: [...rows.filter((row) => isRecent(row, now())), decision] })
    },
    facts: (): AttentionFacts => factsOf(read().rows, now()),
    /**
     * Returns the facts if approving is a reflex and no page of this browser has shown the notice yet. Records that it
     * was shown.
     */
    async news(): Promise<AttentionFacts | null> {
      const facts = factsOf(read().rows, now())
      if (!facts.isReflex) return null
      const isFirst = await alone(() => {
        const kept = read()
        return Promise.resolve(!kept.isSaid && write({ ...kept, isSaid: true }))
      })
      return isFirst ? facts : null
    },
    forget(): void {
      try {
        storage?.removeItem(key)
      } catch {
        // Where the browser refuses storage, nothing is kept.
      }
    },
  }
}

const isDecision = (row: unknown): row is Decision =>
  typeof row === 'object' &&
  row !== null &&
  'at' in row &&
  typeof row.at === 'number' &&
  'ms' in row &&
  (row.ms === null || typeof row.ms === 'number') &&
  'isApproval' in row &&
  typeof row.isApproval === 'boolean' &&
  'cards' in row &&
  typeof row.cards === 'number'
