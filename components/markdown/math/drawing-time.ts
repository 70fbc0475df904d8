import type { MonotonicClock } from '@/lib/base/clocks'
/*
 * Renders formulas immediately while the page has time, which is enough for most replies. In a reply with thousands of
 * them, formulas wait until they come into view, and each frame renders some.
 */

export interface DrawingTimePorts {
  readonly monotonic: MonotonicClock
  /** Runs the task soon, after the page has handled pending events. */
  readonly soon: (task: () => void) => void
}

export interface DrawingTime {
  /** Renders now if there is time; false if it did not. */
  readonly now: (draw: () => void) => boolean
  /** Renders when it is due; the returned function cancels it. */
  readonly later: (draw: () => void) => () => void
}

/** The most milliseconds of rendering in each `windowMs`. */
const shareMs = 20
const windowMs = 100

export function createDrawingTime({ monotonic, soon }: DrawingTimePorts): DrawingTime {
  let window = { begun: Number.NEGATIVE_INFINITY, spent: 0 }
  const waiting = new Set<() => void>()
  let asked = false

  const spend = (draw: () => void): void => {
    const started = monotonic()
    draw()
    window.spent += monotonic() - started
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
