import fc from 'fast-check'
import { expect, it } from 'vitest'
import { swipeOf } from './on-touch'

const at = (x: number, y: number, ms: number) => ({ x, y, at: ms })

it('is a fast horizontal move', () => {
  expect(swipeOf(at(10, 300, 0), at(120, 310, 200))).toBe('right')
  expect(swipeOf(at(300, 300, 0), at(190, 280, 200))).toBe('left')
})

it.each([
  ['a press', at(10, 10, 80)],
  ['a scroll', at(80, 200, 200)],
  ['a slow drag, as of a selection', at(200, 12, 900)],
  ['a little way', at(60, 10, 100)],
])('is not %s', (_what, end) => {
  expect(swipeOf(at(10, 10, 0), end)).toBeNull()
})

it('is reversed in a mirrored layout', () => {
  const px = fc.integer({ min: -500, max: 500 })
  fc.assert(
    fc.property(px, px, fc.nat(1_000), (x, y, ms) => {
      const mirrored = { left: 'right', right: 'left' } as const
      const there = swipeOf(at(0, 0, 0), at(x, y, ms))
      expect(swipeOf(at(0, 0, 0), at(-x, y, ms))).toBe(there && mirrored[there])
    }),
    { numRuns: 200 },
  )
})
