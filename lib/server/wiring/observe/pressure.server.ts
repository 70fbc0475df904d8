import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late a turn of the event loop may be, in nine of ten looks at it: above it first words come late for everyone. */
const TOO_LATE_MS = 100
/** This process uses a core of its own. Below it, turns are late because other processes have the core. */
const FULL_CORE = 0.85
const LOOK_EVERY_MS = 500
/** One long task is no pressure; two looks in a row are. */
const LOOKS = 2
/** How often the loop is looked at; a turn that is not late at all counts as that long. */
const RESOLUTION_MS = 20

/** What this process did since the last look. */
export interface PressureReading {
  /** How late turns of the loop were, nine of ten. */
  readonly lateMs: number
  /** The cores that it used, all its threads together. */
  readonly cores: number
}

/**
 * Counts looks; true while this process itself has more to do than it can. Late turns alone do not say so: a neighbour that takes the
 * core makes them late, and waiting would help nobody.
 */
export function createPressure(): { readonly look: (one: PressureReading) => void; readonly isPressed: () => boolean } {
  let looks = 0
  return {
    look({ lateMs, cores }) {
      looks = lateMs > TOO_LATE_MS && cores >= FULL_CORE ? looks + 1 : 0
    },
    isPressed: () => looks >= LOOKS,
  }
}

/** Watches this process. Gives whether it is pressed, and the way to end the watch. */
export function watchPressure(): { readonly isPressed: () => boolean; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const { look, isPressed } = createPressure()
  let used = process.cpuUsage()
  let from = performance.now()
  const timer = setInterval(() => {
    const at = performance.now()
    const { user, system } = process.cpuUsage(used)
    look({
      lateMs: delay.percentile(90) / 1e6 - RESOLUTION_MS,
      cores: (user + system) / 1_000 / Math.max(1, at - from),
    })
    delay.reset()
    used = process.cpuUsage()
    from = at
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    isPressed,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
