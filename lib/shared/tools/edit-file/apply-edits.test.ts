import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { applyEdits } from './apply-edits'

const apply = (text: string, ...edits: readonly (readonly [string, string])[]) =>
  applyEdits(
    text,
    edits.map(([search, replace]) => ({ search, replace })),
  )

describe('edits that fit', () => {
  test.each([
    ['one\ntwo\nthree\n', [['two', '2']], 'one\n2\nthree\n', [2]],
    ['one\ntwo\n', [['one\n', '']], 'two\n', [1]],
    ['one\ntwo', [['one', '1'], ['1\ntwo', 'both']], 'both', [1, 1]], // oxfmt-ignore
    ['a $& b', [['$&', '$1']], 'a $1 b', [1]],
    ['\ufeffone', [['one', 'two']], '\ufefftwo', [1]],
  ] as const)('%j', (text, edits, after, lines) => {
    expect(apply(text, ...edits)).toEqual({ ok: true, value: { text: after, lines } })
  })

  test.each([
    ['a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\r\nc\r\n'],
    ['a\r\nb\r\nc\r\n', 'b', 'b\nb2', 'a\r\nb\r\nb2\r\nc\r\n'],
    ['a\r\nb\r\nc', 'b\n', '', 'a\r\nc'],
    ['a\r\nb', '\nb', '\nc', 'a\r\nc'],
    ['a\nb\n', 'a\r\nb', 'c\r\nd', 'c\nd\n'],
    ['a\nb\r\nc\nd\n', 'b\r\nc', 'B\nC', 'a\nB\r\nC\nd\n'],
    ['one', 'one', 'a\r\nb', 'a\r\nb'],
  ])('%j keeps its own line endings', (text, search, replace, after) => {
    expect(apply(text, [search, replace])).toMatchObject({ ok: true, value: { text: after } })
  })

  test('replaces any passage that occurs once, whatever surrounds it', () => {
    const piece = fc.stringMatching(/^[a-c\r\n$]{0,12}$/).map((text) => text.replaceAll('\r', '\r\n'))
    fc.assert(
      fc.property(piece, piece, (before, after) => {
        const edited = apply(`${before}XY${after}`, ['XY', 'Z'])
        expect(edited).toMatchObject({ ok: true, value: { text: `${before}Z${after}` } })
      }),
    )
  })
})

describe('edits that do not fit', () => {
  const problem = (text: string, ...edits: readonly (readonly [string, string])[]) => {
    const edited = apply(text, ...edits)
    if (edited.ok) throw new Error('they fit')
    return edited.error
  }

  test('name the most similar line for a missing text', () => {
    const text = 'import a\n\nfunction total(rows) {\n  return rows.length\n}\n'
    expect(problem(text, ['function totals(rows) {\n  return rows.size\n}', 'x'])).toEqual({
      kind: 'not-found',
      edit: 1,
      nearest: { line: 3, text: 'function total(rows) {\n  return rows.length\n}', onlySpaces: false },
      wasThere: false,
    })
    expect(problem(text, ['  function total(rows) {\n\treturn rows.length', 'x'])).toMatchObject({
      nearest: { line: 3, onlySpaces: true },
    })
    expect(problem(text, ['something of another kind', 'x'])).toMatchObject({ nearest: null })
    expect(problem('', ['a', 'b'])).toMatchObject({ kind: 'not-found', nearest: null })
  })

  test('say that an earlier edit removed the text', () => {
    expect(problem('one two', ['one', '1'], ['one two', 'x'])).toMatchObject({ edit: 2, wasThere: true })
  })

  test('name the lines of a repeated text, overlaps too', () => {
    expect(problem('a\nb\na\n', ['a', 'x'])).toEqual({ kind: 'ambiguous', edit: 1, lines: [1, 3] })
    expect(problem('aaa', ['aa', 'x'])).toEqual({ kind: 'ambiguous', edit: 1, lines: [1, 1] })
    expect(problem('a\r\nb\r\na\r\nb', ['a\nb', 'x'])).toMatchObject({ lines: [1, 3] })
  })

  test('report an unchanged text', () => {
    expect(problem('a\r\nb', ['a\nb', 'a\nb'])).toEqual({ kind: 'no-change', edit: 1 })
  })

  test('find the nearest place in time proportional to a large file, and only in its beginning', () => {
    const line = (word: string) => (at: number) => `const value${at} = ${word}(${at}, 'some text of a line')`
    const linesOf = (count: number, word: string) => Array.from({ length: count }, (_, at) => line(word)(at)).join('\n')
    const work = (lines: number, searched: number): number => {
      const [text, search] = [linesOf(lines, 'compute'), linesOf(searched, 'computes')]
      return countWork(() => {
        expect(problem(text, [search, 'x'])).toMatchObject({ nearest: { line: 1 } })
      })
    }
    expect(work(10_000, 40) / work(1_000, 40)).toBeLessThan(12)
    expect(work(60_000, 40) / work(20_000, 40)).toBeLessThan(1.5)
    expect(work(1_000, 1_000) / work(1_000, 100)).toBeLessThan(5)
  })
})
