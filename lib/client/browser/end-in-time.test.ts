import { describe, expect, it } from 'vitest'
import { endInTime } from './person-databases'

/** A clock that is moved by hand. */
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

describe('work that is waited for', () => {
  it('is waited for as long as some of it ends', async () => {
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

  it('is waited for no longer once none of it does; what fails is told at once', async () => {
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
