import { expect, it } from 'vitest'
import { reportPaceMs } from './lab-runner'

/** The number of records that all reports of a lab read, if its trials come at a constant pace. */
function looked(trials: number, msPerTrial: number): number {
  let sum = 0
  let shownAt = 0
  for (let done = 1; done <= trials; done++) {
    const now = done * msPerTrial
    if (now - shownAt < reportPaceMs(done)) continue
    shownAt = now
    sum += done
  }
  return sum
}

it('makes reports of a long lab cost no more than its trials', () => {
  for (const msPerTrial of [10, 100]) {
    const few = looked(20_000, msPerTrial)
    expect(looked(200_000, msPerTrial)).toBeLessThanOrEqual(few * 12)
  }
})

it('shows a short lab as it goes', () => {
  expect(reportPaceMs(0)).toBe(400)
  expect(reportPaceMs(500)).toBe(400)
})
