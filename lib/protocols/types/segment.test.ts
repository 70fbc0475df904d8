import { expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { type Segment, findGap, tiled } from './segment'

const text = (start: number, end: number): Segment => ({ kind: 'text', start, end })

it('throws in tests if a character belongs to no segment', () => {
  expect(() => tiled([text(0, 3), text(4, 6)], 6)).toThrow('do not tile')
  expect(tiled([text(0, 3), text(3, 6)], 6)).toHaveLength(2)
  expect(tiled([], 0)).toEqual([])
})

it('loses no text in the app, whatever a reader returns', async () => {
  vi.resetModules()
  const fresh = await import('./segment')
  const ranges = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 6 })
  fc.assert(
    fc.property(ranges, fc.integer({ min: 0, max: 20 }), (pairs, length) => {
      const segments = pairs.map(([a, b]) => text(Math.min(a, b), Math.max(a, b)))
      expect(findGap(fresh.tiled(segments, length), length)).toBeNull()
    }),
  )
})
