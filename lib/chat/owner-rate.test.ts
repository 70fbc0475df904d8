import { describe, expect, it } from 'vitest'
import { createRateLimit } from './owner-rate'

describe('the rate limit', () => {
  it('lets a burst through, then as many as refill, each owner for itself', () => {
    let now = 0
    const limit = createRateLimit({ burst: 3, perSecond: 2, now: () => now })
    expect([1, 2, 3].map(() => limit.take('ada'))).toEqual([0, 0, 0])
    expect(limit.take('ada')).toBe(1)
    expect(limit.take('eve')).toBe(0)
    now += 500
    expect(limit.take('ada')).toBe(0)
    expect(limit.take('ada')).toBe(1)
    now += 60_000
    expect([1, 2, 3, 4].map(() => limit.take('ada'))).toEqual([0, 0, 0, 1])
  })

  it('remembers a bounded number of owners, and forgets the idle first', () => {
    let now = 0
    const limit = createRateLimit({ burst: 2, perSecond: 1, now: () => now, maxOwners: 3 })
    limit.take('idle')
    now += 10_000
    for (const owner of ['busy', 'busy', 'b', 'b']) limit.take(owner)
    limit.take('newcomer')
    expect(limit.take('busy')).toBe(1)
    for (let n = 0; n < 1_000; n += 1) limit.take(`flood-${n}`)
    expect(limit.take('flood-999')).toBe(0)
    expect(limit.take('flood-999')).toBe(1)
  })
})
