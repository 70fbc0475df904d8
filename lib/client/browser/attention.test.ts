import { describe, expect, it } from 'vitest'
import { createAttention, factsOf, type Decision } from './attention'

const day = 24 * 60 * 60 * 1_000
const now = 100 * day
const decision = (over: Partial<Decision> = {}): Decision => ({ at: now, ms: 900, isApproval: true, cards: 1, ...over })
const times = (count: number, over: Partial<Decision> = {}) => Array.from({ length: count }, () => decision(over))

describe('the reflex check', () => {
  it.each<[string, readonly Decision[], boolean]>([
    ['20 approvals within 1.5 s', times(20, { ms: 1_500 }), true],
    ['19 of them', times(19), false],
    ['16 of 20 decisions', [...times(16), ...times(4, { ms: 8_000 })], true],
    ['15 of 20 decisions', [...times(15), ...times(5, { ms: 8_000 })], false],
    ['slower ones', times(30, { ms: 1_501 }), false],
    ['quick denials', times(30, { isApproval: false }), false],
    ['decisions of an unknown time', [...times(19), ...times(30, { ms: null })], false],
    ['some that are older than 7 days', [...times(1, { at: now - 7 * day }), ...times(19)], false],
    ['all of the last 7 days', times(20, { at: now - 7 * day + 1 }), true],
    ['some of a clock that was ahead', [...times(1, { at: now + 1 }), ...times(19)], false],
  ])('after %s: %s', (_name, rows, isReflex) => {
    expect(factsOf(rows, now).isReflex).toBe(isReflex)
  })

  it('reports its figures', () => {
    const rows = [
      decision({ ms: 200, cards: 3 }),
      decision({ ms: 9_000 }),
      decision({ ms: 4_000, isApproval: false }),
      decision({ ms: null }),
    ]
    expect(factsOf(rows, now)).toEqual({ cards: 6, timed: 3, medianMs: 4_000, fast: 1, isReflex: false })
    expect(factsOf([], now)).toEqual({ cards: 0, timed: 0, medianMs: null, fast: 0, isReflex: false })
  })
})

/** Tabs of one browser. Reloading a page adds one tab. */
function browser(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null = memory()) {
  let held = false
  const alone = async (work: () => Promise<boolean>) => {
    if (held) return false
    held = true
    try {
      return await work()
    } finally {
      held = false
    }
  }
  return { tab: () => createAttention({ storage, now: () => now, alone }), storage }
}
function memory() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

describe('the notice about it', () => {
  it('appears once in all tabs, and not again after a reload', async () => {
    const { tab } = browser()
    const [one, other] = [tab(), tab()]
    for (let n = 0; n < 20; n += 1) (n % 2 ? one : other).record(decision())
    const news = await Promise.all([one.news(), other.news(), one.news()])
    expect(news.filter((facts) => facts !== null)).toEqual([expect.objectContaining({ fast: 20, timed: 20 })])
    one.record(decision())
    expect(await tab().news()).toBeNull()
  })

  it('does not appear before the check is positive, and can still appear later', async () => {
    const { tab } = browser()
    for (let n = 0; n < 19; n += 1) tab().record(decision())
    expect(await tab().news()).toBeNull()
    tab().record(decision())
    expect(await tab().news()).not.toBeNull()
  })

  it('starts again after the statistics are deleted', async () => {
    const { tab } = browser()
    for (let n = 0; n < 20; n += 1) tab().record(decision())
    await tab().news()
    tab().forget()
    expect(tab().facts()).toMatchObject({ cards: 0, isReflex: false })
    for (let n = 0; n < 20; n += 1) tab().record(decision())
    expect(await tab().news()).not.toBeNull()
  })

  it.each([
    ['a browser that keeps nothing', null],
    [
      'a browser that has no room',
      {
        ...memory(),
        setItem: () => {
          throw new DOMException('full', 'QuotaExceededError')
        },
      },
    ],
    ['what cannot be read', { ...memory(), getItem: () => '{"rows":[{"at":"x"},7],"isSaid":"no"}' }],
  ])('never appears in %s', async (_name, storage) => {
    const { tab } = browser(storage)
    for (let n = 0; n < 20; n += 1) tab().record(decision())
    expect(await tab().news()).toBeNull()
    expect(tab().facts().cards).toBe(0)
  })

  it('keeps at most 500 decisions', () => {
    const { tab, storage } = browser()
    for (let n = 0; n < 520; n += 1) tab().record(decision())
    expect(tab().facts().cards).toBe(500)
    expect(storage?.getItem('nod:attention')?.length).toBeLessThan(50_000)
  })
})
