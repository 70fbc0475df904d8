import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paperLines } from './paper-lines'

const item = (start: number, end: number, damage: number | null = null) => ({ start, end, damage })

describe('paperLines', () => {
  it('cuts lines at the borders of the items', () => {
    const { lines } = paperLines('ab\ncdef\n', [item(1, 4), item(4, 6)])
    expect(lines.map(({ spans }) => spans.map(({ text, item: at, opens }) => [text, at, opens]))).toEqual([
      [
        ['a', -1, false],
        ['b', 0, true],
      ],
      [
        ['c', 0, false],
        ['de', 1, true],
        ['f', -1, false],
      ],
      [],
    ])
  })

  it('marks where parsing failed, also at the end', () => {
    const damaged = (at: number) =>
      paperLines('abcd', [item(0, 4, at)]).lines[0]?.spans.map(({ text, damage }) => [text, damage])
    expect(damaged(2)).toEqual([
      ['ab', true],
      ['cd', false],
    ])
    expect(damaged(4)).toEqual([['abcd', true]])
  })

  it('loses nothing, whatever the items', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ') }),
        fc.array(fc.nat({ max: 6 }), { maxLength: 8 }),
        (text, steps) => {
          const items = []
          let at = 0
          for (const step of steps) {
            const start = Math.min(text.length, at + (step % 3))
            const end = Math.min(text.length, start + step)
            if (end > start) items.push(item(start, end, step % 2 === 0 ? end : null))
            at = end
          }
          const { lines, covered } = paperLines(text, items)
          expect(lines.map(({ spans }) => spans.map((span) => span.text).join('')).join('\n')).toBe(text)
          expect(covered).toBe(text.length)
        },
      ),
    )
  })

  it('stops after this many lines or characters', () => {
    expect(paperLines('a\n'.repeat(10), [], 3)).toMatchObject({ covered: 6 })
    expect(paperLines('abcdefgh', [], 10, 5)).toMatchObject({ covered: 5, lines: [{ spans: [{ text: 'abcde' }] }] })
  })
})
