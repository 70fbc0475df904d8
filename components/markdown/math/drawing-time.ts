import type { MonotonicClock } from '@/lib/base/clocks'
/*
 * Formulas are drawn as they come, as long as the page has time for it: most replies have a few. A reply of thousands waits for
 * its turn, formula by formula as they come into view, a slice of a frame at a time.
 */

export interface DrawingTimePorts {
  readonly monotonic: MonotonicClock
  /** Runs the task soon, when the page has answered what waits. */
  readonly soon: (task: () => void) => void
}

export interface DrawingTime {
  /** Draws now where there is time; false: it did not. */
  readonly now: (draw: () => void) => boolean
  /** Draws when it is due; the returned function takes that back. */
  readonly later: (draw: () => void) => () => void
}

/** What drawing may take of the page in each `windowMs`. */
const shareMs = 20
const windowMs = 100

export function createDrawingTime({ monotonic, soon }: DrawingTimePorts): DrawingTime {
  let window = { begun: Number.NEGATIVE_INFINITY, spent: 0 }
  const waiting = new Set<() => void>()
  let asked = false

  const spend = (draw: () => void): void => {
    const begun = monotonic()
    draw()
    window.spent += monotonic() - begun
  }
  const ask = (): void => {
    if (asked || waiting.size === 0) return
    asked = true
    soon(() => {
      asked = false
      const until = monotonic() + shareMs
      for (const draw of waiting) {
        waiting.delete(draw)
        draw()
        if (monotonic() >= until) break
      }
      ask()
    })
  }
  return {
    now(draw) {
      if (monotonic() - window.begun > windowMs) window = { begun: monotonic(), spent: 0 }
      if (waiting.size > 0 || window.spent >= shareMs) return false
      spend(draw)
      return true
    },
    later(draw) {
      waiting.add(draw)
      ask()
      return () => void waiting.delete(draw)
    },
  }
}
