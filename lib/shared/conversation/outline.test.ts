import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titleOf } from './outline'

describe('the title of a chat', () => {
  it('is the first message on one line', () => {
    expect(titleOf('  Make a\n\ttable  ')).toBe('Make a table')
  })

  it('is cut at a word, or in the middle of a long one', () => {
    expect(titleOf('word '.repeat(30))).toBe(`${'word '.repeat(11)}word…`)
    expect(titleOf('x'.repeat(100))).toBe(`${'x'.repeat(59)}…`)
  })

  it('is never longer than 60 characters and never splits one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const title = titleOf(text)
        expect(Array.from(title).length).toBeLessThanOrEqual(60)
        expect(title.isWellFormed()).toBe(true)
      }),
    )
    expect(titleOf('😀'.repeat(100))).toBe(`${'😀'.repeat(59)}…`)
  })
})
