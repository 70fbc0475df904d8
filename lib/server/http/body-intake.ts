/*
 * The bodies of requests while they arrive. A client may open a body and send nothing: it must not keep a place that others wait
 * for, nor memory without end.
 */

/** A body that has not begun is given this long. */
const GRACE_MS = 10_000
/** Each byte that came buys this much more time: the rate of a very slow mobile line. */
const LEAST_BYTES_PER_SECOND = 8_192
/** All bodies that are in memory together, those that wait for their turn included. */
const MAX_HELD_BYTES = 256_000_000

/** Why a body is not read any further. */
export type IntakeRefusal = 'too-slow' | 'no-memory'

export interface IncomingBody {
  /** Resolves when the rest must not be waited for. Stays open while the body comes fast enough. */
  readonly refused: Promise<IntakeRefusal>
  /** So many more bytes came. */
  add(bytes: number): void
  /** All of it came: it counts as held until `release`, and is refused no more. */
  arrived(): void
  /** Call it once, whatever happened. */
  release(): void
}

export interface BodyIntake {
  begin(): IncomingBody
}

interface Entry {
  bytes: number
  readonly since: number
  isWhole: boolean
  readonly refuse: (why: IntakeRefusal) => void
}

/** How long a body of which so much came may have taken by now, in milliseconds. */
export const allowedMs = (bytes: number): number => GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000

/**
 * Refuses bodies that come too slowly. When all of them together take too much memory, the slowest of those that are still arriving
 * goes first. Every span is measured with `monotonic`.
 */
export function createBodyIntake({
  monotonic,
  after,
  maxHeldBytes = MAX_HELD_BYTES,
}: {
  readonly monotonic: () => number
  /** Does it once, this many milliseconds from now; gives what takes it back. */
  readonly after: (ms: number, task: () => void) => () => void
  readonly maxHeldBytes?: number
}): BodyIntake {
  const held = new Set<Entry>()
  let total = 0

  function makeRoom(): void {
    while (total > maxHeldBytes) {
      const speed = ({ bytes, since }: Entry) => bytes / Math.max(1, monotonic() - since)
      const [slowest] = [...held]
        .filter(({ isWhole, bytes }) => !isWhole && bytes > 0)
        .toSorted((a, b) => speed(a) - speed(b))
      if (!slowest) return
      drop(slowest)
      slowest.refuse('no-memory')
    }
  }
  function drop(entry: Entry): void {
    if (held.delete(entry)) total -= entry.bytes
  }

  return {
    begin() {
      const { promise, resolve } = Promise.withResolvers<IntakeRefusal>()
      const entry: Entry = { bytes: 0, since: monotonic(), isWhole: false, refuse: resolve }
      held.add(entry)
      let cancel = () => {}
      const watch = (): void => {
        const left = entry.since + allowedMs(entry.bytes) - monotonic()
        if (left <= 0) {
          drop(entry)
          resolve('too-slow')
        } else cancel = after(left, watch)
      }
      watch()
      return {
        refused: promise,
        add(bytes) {
          if (!held.has(entry)) return
          entry.bytes += bytes
          total += bytes
          makeRoom()
        },
        arrived() {
          entry.isWhole = true
          cancel()
        },
        release() {
          cancel()
          drop(entry)
        },
      }
    },
  }
}
