import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labRandom } from '../plan'
import {
  atMostHeads,
  twoSided,
  holm,
  mcNemar,
  medianOf,
  spreadOf,
  shareOfTrials,
  wilson,
  Z_95,
  type ProbeTally,
} from './binomial'

/** With whole numbers: the sum of binomials over 2^n. */
function exactHeads(k: number, n: number): number {
  let term = 1n
  let sum = 0n
  for (let i = 0; i <= Math.min(k, n); i++) {
    if (i > 0) term = (term * BigInt(n - i + 1)) / BigInt(i)
    sum += term
  }
  const scaled = (sum * 10n ** 18n) / 2n ** BigInt(n)
  return Number(scaled) / 1e18
}

describe('probabilities', () => {
  it('of a fair coin equal the sum over whole numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), (k, n) => {
        expect(atMostHeads(k, n)).toBeCloseTo(exactHeads(k, n), 10)
      }),
    )
  })

  it('of the normal curve equal the tables', () => {
    for (const [z, p] of [
      [0, 1],
      [1, 0.317310508],
      [Z_95, 0.05],
      [2.575829304, 0.01],
      [5, 5.733e-7],
    ] as const) {
      expect(twoSided(z)).toBeCloseTo(p, 7)
      expect(twoSided(-z)).toBeCloseTo(p, 7)
    }
  })
})

describe("Wilson's interval", () => {
  /** The ends are where the share is exactly z standard errors away: found by bisection. */
  const slowEnd = (rate: number, n: number, side: -1 | 1): number => {
    let [near, far] = [rate, side < 0 ? 0 : 1]
    for (let i = 0; i < 200; i++) {
      const middle = (near + far) / 2
      const isInside = Math.abs(rate - middle) <= Z_95 * Math.sqrt((middle * (1 - middle)) / n)
      if (isInside) near = middle
      else far = middle
    }
    return near
  }

  it('equals the one found by bisection', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, part) => {
        const rate = Math.round(part * n) / n
        const share = wilson(rate, n)
        expect(share?.low).toBeCloseTo(slowEnd(rate, n, -1), 6)
        expect(share?.high).toBeCloseTo(slowEnd(rate, n, 1), 6)
      }),
    )
  })

  it('is null for nothing, and never leaves 0 to 1', () => {
    expect(wilson(0, 0)).toBeNull()
    expect(shareOfTrials([{ right: 0, trials: 0 }])).toBeNull()
    expect(wilson(0, 20)).toMatchObject({ low: 0 })
    expect(wilson(1, 20)).toMatchObject({ high: 1 })
  })

  it('contains the true rate in 95 of 100 labs, for equal or varied probes, tried once or three times', () => {
    const random = labRandom(20261122)
    const labs = 2_000
    for (const trials of [1, 3]) {
      for (const hardness of ['alike', 'unlike', 'either-or'] as const) {
        for (const rate of [0.5, 0.8, 0.9]) {
          let held = 0
          for (let lab = 0; lab < labs; lab++) {
            const tallies = Array.from({ length: 80 }, (): ProbeTally => {
              const chance = difficulty(hardness, rate, random)
              let right = 0
              for (let trial = 0; trial < trials; trial++) if (random() < chance) right += 1
              return { right, trials }
            })
            const share = shareOfTrials(tallies)
            if (share && share.low <= rate && rate <= share.high) held += 1
          }
          // 95 %, minus at most four standard errors of 2,000 labs; discreteness and caution add to it.
          expect(held / labs).toBeGreaterThan(0.93)
          expect(held / labs).toBeLessThan(0.985)
        }
      }
    }
  })
})

/** A probe's probability of success; its mean over probes is `rate`. */
function difficulty(hardness: 'alike' | 'unlike' | 'either-or', rate: number, random: () => number): number {
  if (hardness === 'alike') return rate
  if (hardness === 'either-or') return random() < rate ? 1 : 0
  const reach = Math.min(rate, 1 - rate)
  return rate + (random() * 2 - 1) * reach
}

describe('a comparison of two', () => {
  it('equals tossing a coin for every pair that differs', () => {
    expect(mcNemar({ onlyFirst: 0, onlySecond: 0 })).toBe(1)
    expect(mcNemar({ onlyFirst: 5, onlySecond: 5 })).toBe(1)
    expect(mcNemar({ onlyFirst: 0, onlySecond: 6 })).toBeCloseTo(2 / 64, 12)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 200 }), (onlyFirst, onlySecond) => {
        const p = mcNemar({ onlyFirst, onlySecond })
        const reference = Math.min(1, 2 * exactHeads(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond))
        expect(p).toBeCloseTo(onlyFirst + onlySecond === 0 ? 1 : reference, 9)
        expect(mcNemar({ onlyFirst: onlySecond, onlySecond: onlyFirst })).toBe(p)
      }),
    )
  })

  it('agrees between approximation and exact sum at their boundary', () => {
    expect(mcNemar({ onlyFirst: 460, onlySecond: 541 })).toBeCloseTo(2 * exactHeads(460, 1001), 3)
  })

  it('finds a nonexistent difference in at most 5 of 100 labs', () => {
    const random = labRandom(7)
    let found = 0
    for (let lab = 0; lab < 2_000; lab++) {
      let [onlyFirst, onlySecond] = [0, 0]
      for (let pair = 0; pair < 80; pair++) {
        const [first, second] = [random() < 0.8, random() < 0.8]
        if (first && !second) onlyFirst += 1
        if (!first && second) onlySecond += 1
      }
      if (mcNemar({ onlyFirst, onlySecond }) < 0.05) found += 1
    }
    expect(found / 2_000).toBeLessThan(0.05)
    expect(found).toBeGreaterThan(0)
  })
})

describe("Holm's correction", () => {
  it('equals its step-down definition', () => {
    const slow = (ps: readonly number[]): readonly number[] => {
      const ranked = ps.map((p, at) => ({ p, at })).toSorted((a, b) => a.p - b.p)
      const steps = ranked.map(({ p, at }, rank) => ({ at, p: Math.min(1, p * (ps.length - rank)) }))
      return ps.map((_, at) => {
        const rank = steps.findIndex((step) => step.at === at)
        return Math.max(...steps.slice(0, rank + 1).map(({ p }) => p))
      })
    }
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 15 }), (ps) => {
        expect(holm(ps)).toEqual(slow(ps))
        for (const [at, p] of holm(ps).entries()) expect(p).toBeGreaterThanOrEqual(ps[at] ?? 0)
      }),
    )
  })
})

describe('spread and median', () => {
  it('equal a direct computation', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 9 }), (rates) => {
        const spread = spreadOf(rates)
        let largest = 0
        for (const a of rates) for (const b of rates) largest = Math.max(largest, a - b)
        let squares = 0
        for (const a of rates) for (const b of rates) squares += (a - b) ** 2
        expect(spread?.maxDifference).toBeCloseTo(largest, 12)
        expect(spread?.deviation).toBeCloseTo(Math.sqrt(squares / (2 * rates.length ** 2)), 9)
      }),
    )
    expect(spreadOf([0.5])).toBeNull()
    expect(medianOf([])).toBeNull()
    expect(medianOf([3, 1, 2])).toBe(2)
    expect(medianOf([4, 1, 2, 3])).toBe(2.5)
  })
})
