import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Milliseconds that a turn of the event loop may be late, in nine of ten looks at it, before nobody else begins: above it first
 * words come late for everybody. How busy the loop is says less: a full core whose turns are short keeps everybody waiting for
 * nothing.
 */
const TOO_LATE_MS = 100
const LOOK_EVERY_MS = 500
/** One long task is no pressure; two looks in a row are. */
const LOOKS = 2
/** How often the loop is looked at; a turn that is not late at all counts as that long. */
const RESOLUTION_MS = 20

/**
 * Whether this process has more to do than it can, by its own measure: what a core carries depends on the core and on what
 * the replies are. Gives the answer and the way to end the looking.
 */
export function watchPressure(): { readonly isPressed: () => boolean; readonly stop: () => void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let late = 0
  const timer = setInterval(() => {
    const ms = delay.percentile(90) / 1e6 - RESOLUTION_MS
    delay.reset()
    late = ms > TOO_LATE_MS ? late + 1 : 0
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    isPressed: () => late >= LOOKS,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
