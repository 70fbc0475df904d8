import { expect, it } from 'vitest'
import { createBodyIntake, type IncomingBody } from './body-intake'

/** An intake with its own clock. */
function intake(maxHeldBytes?: number) {
  let monotonic = 0
  const waiting = new Set<{ readonly at: number; readonly task: () => void }>()
  const bodies = createBodyIntake({
    monotonic: () => monotonic,
    after(ms, task) {
      const one = { at: monotonic + ms, task }
      waiting.add(one)
      return () => waiting.delete(one)
    },
    ...(maxHeldBytes !== undefined && { maxHeldBytes }),
  })
  const refusals = new Map<IncomingBody, string>()
  return {
    refusals,
    waiting,
    begin() {
      const body = bodies.begin()
      void body.refused.then((why) => refusals.set(body, why))
      return body
    },
    async pass(ms: number) {
      const end = monotonic + ms
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (!next) break
        waiting.delete(next)
        monotonic = next.at
        next.task()
      }
      monotonic = end
      await Promise.resolve()
    },
  }
}

it('gives up within seconds on a body that sends nothing, or one byte per second', async () => {
  const { begin, pass, refusals } = intake()
  const silent = begin()
  const dripping = begin()
  for (let second = 0; second < 12; second += 1) {
    dripping.add(1)
    await pass(1_000)
  }
  expect(refusals.get(silent)).toBe('too-slow')
  expect(refusals.get(dripping)).toBe('too-slow')
})

it('waits for a large body on a slow line', async () => {
  const { begin, pass, refusals } = intake()
  const body = begin()
  for (let second = 0; second < 200; second += 1) {
    body.add(9_000)
    await pass(1_000)
  }
  expect(refusals.size).toBe(0)
})

it('never gives up on a body that has arrived, however long it queues', async () => {
  const { begin, pass, refusals, waiting } = intake()
  const body = begin()
  body.add(10)
  body.arrived()
  await pass(3_600_000)
  body.release()
  expect(refusals.size).toBe(0)
  expect(waiting.size).toBe(0)
})

it('drops the slowest incomplete body when all bodies together use too much memory', async () => {
  const { begin, pass, refusals } = intake(1_000)
  const whole = begin()
  whole.add(400)
  whole.arrived()
  const slow = begin()
  slow.add(300)
  await pass(5_000)
  const fast = begin()
  fast.add(250)
  await pass(1)
  expect(refusals.size).toBe(0)
  fast.add(250)
  await pass(1)
  expect([...refusals]).toEqual([[slow, 'no-memory']])
  // Its memory is free again.
  begin().add(50)
  await pass(1)
  expect(refusals.size).toBe(1)
})
