import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clipLines, lineRows } from './out-of-view'

const linesOf = (...lengths: number[]) => lengths.map((length) => ({ text: 'x'.repeat(length) }))

it('cuts short lines between lines, and not for a single extra line', () => {
  expect(clipLines(linesOf(...Array<number>(17).fill(5)), 16)).toMatchObject({ hidden: 0, cut: 0 })
  const { shown, hidden, cut } = clipLines(linesOf(...Array<number>(30).fill(5)), 16)
  expect([shown.length, hidden, cut]).toEqual([16, 14, 0])
})

it('cuts a single line that runs out of view', () => {
  const { shown, hidden, cut } = clipLines(linesOf(100_000), 16)
  expect([shown.length, hidden, cut]).toEqual([1, 1, 98_400])
})

it('hides nothing without counting it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(4_000), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (lengths, most) => {
        const lines = linesOf(...lengths)
        const { shown, hidden, cut } = clipLines(lines, most)
        const seen = shown.reduce((sum, { text }) => sum + text.length, 0)
        const all = lengths.reduce((sum, one) => sum + one, 0)
        if (hidden === 0) expect(seen).toBe(all)
        else expect(shown.length + hidden - (cut > 0 ? 1 : 0)).toBe(lines.length)
        expect(shown.reduce((sum, { text }) => sum + lineRows(text.length), 0)).toBeLessThanOrEqual(most + 3)
      },
    ),
  )
})
