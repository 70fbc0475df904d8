import { performance } from 'node:perf_hooks'

/** How busy the event loop may be before nobody else begins: above it first words come late for everybody. */
const TOO_BUSY = 0.92
const LOOK_EVERY_MS = 500
/** One long task is no pressure; two looks in a row are. */
const LOOKS = 2

/**
 * Whether this process has more to do than it can, by its own measure: what a core carries depends on the core and on what
 * the replies are. Gives the answer and the way to end the looking.
 */
export function watchPressure(): { readonly isPressed: () => boolean; readonly stop: () => void } {
  let before = performance.eventLoopUtilization()
  let busy = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    busy = utilization > TOO_BUSY ? busy + 1 : 0
  }, LOOK_EVERY_MS)
  timer.unref()
  return { isPressed: () => busy >= LOOKS, stop: () => clearInterval(timer) }
}
