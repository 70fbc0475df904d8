import { performance } from 'node:perf_hooks'

const SAMPLE_MS = 250

/** How busy the loop of this process was lately: 0 idle, 1 without a pause. Measured when somebody asks, seldom. */
export function createLoopUtilisation(): () => number {
  let since = performance.eventLoopUtilization()
  let sampledAt = performance.now()
  let utilisation = 0
  return () => {
    const at = performance.now()
    if (at - sampledAt >= SAMPLE_MS) {
      const until = performance.eventLoopUtilization()
      // The mean with what was before: one long task is no load.
      utilisation = (utilisation + performance.eventLoopUtilization(until, since).utilization) / 2
      since = until
      sampledAt = at
    }
    return utilisation
  }
}
