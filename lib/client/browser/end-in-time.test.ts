import { describe, expect, it } from 'vitest'
import { endInTime } from './person-databases'

/** A manual clock. */
function clock() {
  let now = 0
  const tasks = new Map<() => void, number>()
  return {
    schedule(task: () => void, ms: number) {
      tasks.set(task, now + ms)
      return () => void tasks.delete(task)
    },
    async pass(ms: number) {
      await Promise.resolve()
      now += ms
      const due = [...tasks].flatMap(([task, at]) => (at <= now ? [task] : []))
      for (const task of due) if (tasks.delete(task)) task()
    },
    waits: () => tasks.size,
  }
}

describe('waiting for work', () => {
  it('continues as long as some of it ends', async () => {
    const { schedule, pass, waits } = clock()
    const works = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const all = endInTime(
      works.map(({ promise }) => promise),
      100,
      schedule,
    )
    for (const { resolve } of works) {
      await pass(99)
      resolve()
    }
    expect(await all).toBe(true)
    expect(waits()).toBe(0)
    expect(await endInTime([], 100, schedule)).toBe(true)
  })

  it('stops once none of it does; a failure is reported at once', async () => {
    const { schedule, pass, waits } = clock()
    const still = new Promise<void>(() => {})
    const all = endInTime([Promise.resolve(), still], 100, schedule)
    await pass(99)
    await pass(100)
    expect(await all).toBe(false)
    await expect(endInTime([still, Promise.reject(new Error('full'))], 100, schedule)).rejects.toThrow('full')
    expect(waits()).toBe(0)
  })
})
