import { describe, expect, it } from 'vitest'
import { createSharedRate } from './rate'

/** One store for several nodes, as its own contract describes it. */
function sharedStore() {
  const taken = new Map<string, number>()
  let asked = 0
  return {
    asked: () => asked,
    take: ({ owner, startsAt }: { owner: string; startsAt: number }, cost: number, limit: number) => {
      asked += 1
      const n = (taken.get(`${owner} ${startsAt}`) ?? 0) + cost
      if (n > limit) return Promise.resolve(null)
      taken.set(`${owner} ${startsAt}`, n)
      return Promise.resolve(n)
    },
  }
}

const options = { name: 'requests', windowMs: 60_000, limit: 100, share: 10 }
const passed = (waits: readonly number[]) => waits.filter((wait) => wait === 0).length

describe('the shared rate', () => {
  it('sends no query for occasional requests', async () => {
    const store = sharedStore()
    const rate = createSharedRate({ ...options, now: () => 0, take: store.take })
    for (let n = 0; n < 10; n += 1) expect(await rate.wait(`owner-${n}`)).toBe(0)
    expect(store.asked()).toBe(0)
  })

  it('allows on all nodes together at most the limit plus one share per node', async () => {
    const store = sharedStore()
    const nodes = [1, 2, 3].map(() => createSharedRate({ ...options, now: () => 20_000, take: store.take }))
    const waits = await Promise.all(nodes.flatMap((node) => Array.from({ length: 200 }, () => node.wait('ada'))))
    expect(passed(waits)).toBe(100 + 3 * 10)
    expect(new Set(waits.filter((wait) => wait > 0))).toEqual(new Set([40]))
    expect(store.asked()).toBeLessThan(20)
    expect(await nodes[0]?.wait('eve')).toBe(0)
  })

  it('starts over with the next window', async () => {
    let now = 59_000
    const rate = createSharedRate({ ...options, limit: 5, now: () => now, take: sharedStore().take })
    const waits = await Promise.all(Array.from({ length: 8 }, () => rate.wait('ada')))
    expect(passed(waits)).toBe(5)
    expect(await rate.wait('ada')).toBe(1)
    now = 60_000
    expect(await rate.wait('ada')).toBe(0)
  })

  it('counts the cost: grants the rest of a window, and asks once about a cost that is too large', async () => {
    const store = sharedStore()
    const rate = createSharedRate({ ...options, now: () => 20_000, take: store.take })
    expect(await rate.wait('ada', 70)).toBe(0)
    expect(await rate.wait('ada', 35)).toBe(0)
    expect(await rate.wait('ada', 30)).toBe(40)
    const asked = store.asked()
    expect(await rate.wait('ada', 40)).toBe(40)
    expect(store.asked()).toBe(asked)
    expect(await rate.wait('ada', 5)).toBe(0)
    expect(await rate.wait('ada', 1)).toBe(40)
  })

  it('limits nothing while the store is unavailable', async () => {
    const rate = createSharedRate({ ...options, now: () => 0, take: () => Promise.reject(new Error('away')) })
    expect(passed(await Promise.all(Array.from({ length: 50 }, () => rate.wait('ada'))))).toBe(50)
  })
})
