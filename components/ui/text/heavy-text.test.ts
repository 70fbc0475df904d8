import fc from 'fast-check'
import { expect, it } from 'vitest'
import { heavyPieces } from './plain-text'

it.each([
  ['emoji', '😀'.repeat(5_000)],
  ['families', '👨‍👩‍👧‍👦'.repeat(2_000)],
  ['flags', '🇩🇪'.repeat(4_000)],
  ['odd flags', `x${'🇩🇪'.repeat(4_000)}`],
  ['letters with marks', 'e\u0301'.repeat(5_000)],
  ['piles', `a${'\u0336\u0301'.repeat(4)} `.repeat(2_000)],
  ['one pile', `a${'\u0301'.repeat(9_000)}`],
])('cuts %s into short pieces, and loses nothing', (_, text) => {
  const pieces = heavyPieces(text) ?? []
  expect(pieces.join('')).toBe(text)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1_200)
})

it('cuts between grapheme clusters', () => {
  for (const one of ['👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', 'e\u0301', '1️⃣']) {
    const pieces = heavyPieces(one.repeat(2_000)) ?? []
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.filter((piece) => piece.length % one.length !== 0)).toEqual([])
  }
})

it('leaves ordinary text alone', () => {
  const texts = ['Some words. '.repeat(5_000), '一些文字。'.repeat(5_000), 'नमस्ते दुनिया '.repeat(100), '😀 '.repeat(100)]
  expect(texts.map(heavyPieces)).toEqual(texts.map(() => null))
})

it('loses nothing of any text', () => {
  const unit = fc.constantFrom('😀', '\u200d', '🇩', 'a', '\u0301', ' ', '\ud83d')
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1_600, maxLength: 3_000 }), (units) => {
      const text = units.join('')
      expect((heavyPieces(text) ?? [text]).join('')).toBe(text)
    }),
    { numRuns: 50 },
  )
})
