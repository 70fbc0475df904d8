import { expect, it } from 'vitest'
import { retryUntilOpen } from '../server'

it('retries until it is open, less and less often, and reports each failure', async () => {
  const waits: number[] = []
  const told: unknown[] = []
  let due: (() => void) | undefined
  let failures = 8
  let opened = 0
  await retryUntilOpen({
    async open() {
      if (failures-- > 0) throw new Error(`no answer, ${failures} more`)
      opened += 1
    },
    failed: (error) => void told.push(error),
    after(ms, task) {
      waits.push(ms)
      due = task
    },
  })
  while (due) {
    const task = due
    due = undefined
    task()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(opened).toBe(1)
  expect(told).toHaveLength(8)
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000])
})

it('does not wait if it opens at once', async () => {
  const waits: number[] = []
  await retryUntilOpen({ open: async () => undefined, failed: () => undefined, after: (ms) => void waits.push(ms) })
  expect(waits).toEqual([])
})
