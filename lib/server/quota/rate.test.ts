import { describe, expect, it } from 'vitest'
import { createOwnRate } from './rate'

describe('a rate of one process', () => {
  it('allows a burst, then as many as refill, for each owner separately', () => {
    let now = 0
    const rate = createOwnRate({ burst: 3, perSecond: 2, monotonic: () => now })
    expect([1, 2, 3].map(() => rate.wait('ada'))).toEqual([0, 0, 0])
    expect(rate.wait('ada')).toBe(1)
    expect(rate.wait('eve')).toBe(0)
    now += 500
    expect(rate.wait('ada')).toBe(0)
    expect(rate.wait('ada')).toBe(1)
    now += 60_000
    expect([1, 2, 3, 4].map(() => rate.wait('ada'))).toEqual([0, 0, 0, 1])
  })

  it('remembers a bounded number of owners, and drops idle ones first', () => {
    let now = 0
    const rate = createOwnRate({ burst: 2, perSecond: 1, monotonic: () => now, maxSubjects: 3 })
    rate.wait('idle')
    now += 10_000
    for (const owner of ['busy', 'busy', 'b', 'b']) rate.wait(owner)
    rate.wait('newcomer')
    expect(rate.wait('busy')).toBe(1)
    for (let n = 0; n < 1_000; n += 1) rate.wait(`flood-${n}`)
    expect(rate.wait('flood-999')).toBe(0)
    expect(rate.wait('flood-999')).toBe(1)
  })
})
