/*
 * Request bodies while they arrive. A client may open a body and send nothing; it must not hold a slot that others wait
 * for, nor memory without limit.
 */

/** The time in which a body must begin. */
const GRACE_MS = 10_000
/** Each received byte extends the time: the rate of a very slow mobile connection. */
const LEAST_BYTES_PER_SECOND = 8_192
/** All bodies in memory together, including queued ones. */
const MAX_HELD_BYTES = 256_000_000

/** Why a body is not read any further. */
export type IntakeRefusal = 'too-slow' | 'no-memory'

export interface IncomingBody {
  /** Resolves when the body should be given up. Stays pending while the body arrives fast enough. */
  readonly refused: Promise<IntakeRefusal>
  /** Reports this many more bytes. */
  add(bytes: number): void
  /** The whole body arrived: it counts as held until `release`, and is no longer refused. */
  arrived(): void
  /** Call it once in every case. */
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

/** How long a body of this many bytes may have taken so far, in milliseconds. */
export const allowedMs = (bytes: number): number => GRACE_MS + (bytes / LEAST_BYTES_PER_SECOND) * 1000

/**
 * Refuses bodies that arrive too slowly. If all bodies together use too much memory, the slowest incomplete one is
 * refused first. All durations are measured with `monotonic`.
 */
export function createBodyIntake({
  monotonic,
  after,
  maxHeldBytes = MAX_HELD_BYTES,
}: {
  readonly monotonic: () => number
  /** Runs the task once after this many milliseconds; returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void
  readonly maxHeldBytes?: number
}): BodyIntake {
  const held = new Set<Entry>()
  let total = 0

  function makeSpace(): void {
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
          makeSpace()
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
