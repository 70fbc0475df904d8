import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { createBlockReader, hasReferences, splitBlocks } from './blocks'

describe('splitBlocks', () => {
  it.each([
    ['paragraphs', 'a\n\nb', ['a\n\n', 'b']],
    ['several blank lines', 'a\n\n\n\nb', ['a\n\n\n\n', 'b']],
    ['a list with blank lines inside', '- a\n\n- b\n\n  more\n\nend', ['- a\n\n- b\n\n  more\n\n', 'end']],
    ['a list that follows a paragraph line', 'text\n- a\n\n  more\n\nend', ['text\n- a\n\n  more\n\n', 'end']],
    ['an ordered list', '1. a\n\n2. b\n\nend', ['1. a\n\n2. b\n\n', 'end']],
    ['a fence with blank lines', '```js\na\n\nb\n```\n\nend', ['```js\na\n\nb\n```\n\n', 'end']],
    ['a fence in a list', '- x\n  ```\n  a\n\nb\n  ```\n\nend', ['- x\n  ```\n  a\n\nb\n  ```\n\n', 'end']],
    ['a fence on a marker’s line', '- ```\n  a\n\n  b\n  ```\n\nend', ['- ```\n  a\n\n  b\n  ```\n\n', 'end']],
    ['a longer fence around a shorter', '````\n```\n\n```\n````\n\nend', ['````\n```\n\n```\n````\n\n', 'end']],
    ['an unfinished fence', '```\na\n\nb', ['```\na\n\nb']],
    ['indented code', 'a\n\n    x\n\n    y\n\nb', ['a\n\n    x\n\n    y\n\n', 'b']],
    ['a formula with blank lines', 'a\n\n\\[\nx\n\ny\n\\]\n\nb', ['a\n\n', '\\[\nx\n\ny\n\\]\n\n', 'b']],
    ['a formula of dollars', '$$\nx\n\ny\n$$\n\nb', ['$$\nx\n\ny\n$$\n\n', 'b']],
    ['a formula in a list', '- a\n  \\[\n  x\n\n  y\n  \\]\n\nend', ['- a\n  \\[\n  x\n\n  y\n  \\]\n\n', 'end']],
    ['a fence in a formula is none', '$$\n```\n$$\n\na\n\nb', ['$$\n```\n$$\n\n', 'a\n\n', 'b']],
    ['dollars in a fence', '```\n$$\n```\n\na\n\nb', ['```\n$$\n```\n\n', 'a\n\n', 'b']],
    ['dollars that nothing ends', `$$\n\na\n\n${'b'.repeat(4_000)}`, ['$$\n\n', 'a\n\n', 'b'.repeat(4_000)]],
    ['a shell’s dollars', '$$ is a number\n\na\n\n$$', ['$$ is a number\n\n', 'a\n\n', '$$']],
    ['nothing', '', []],
  ])('%s', (_, text, blocks) => {
    expect(splitBlocks(text)).toEqual(blocks)
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        expect(splitBlocks(text).join('')).toBe(text)
      }),
    )
  })

  it.each([
    ['items after a long line', 'word '.repeat(20_000), '\n\n- item\n\n'],
    ['paragraphs', '', 'word word\n\n'],
    ['blank lines', 'a', '\n'],
    ['fences without an end', '', '```\na\n\n'],
    ['ends of formulas that are none', '', '$$\n\nx$$y\n'],
    ['markers in a line', '', '- 1. '],
  ])('does work linear in the length: %s', (_, before, piece) => {
    const work = (times: number): number => countWork(() => splitBlocks(before + piece.repeat(times)))
    expect(work(20_000) / work(2_000)).toBeLessThan(12)
  })
})

it('does work linear in the number of unclosed formulas', () => {
  // Enough text after them to rule out an end.
  const work = (times: number) => countWork(() => splitBlocks('\\[\na\n\n'.repeat(times) + 'b'.repeat(4_000)))
  expect(work(20_000) / work(2_000)).toBeLessThan(12)
})

describe('the block reader', () => {
  it('ends with the same blocks as the whole text, however it grew', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (text, sizes) => {
        const reader = createBlockReader()
        let at = 0
        for (const size of sizes) {
          at = Math.min(text.length, at + size)
          const { finished, open } = reader.read(text.slice(0, at))
          expect([...finished, ...open].join('')).toBe(text.slice(0, at))
        }
        const { finished, open } = reader.read(text)
        expect([...finished, ...open]).toEqual(splitBlocks(text))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps finished blocks as the same array while only the last one grows', () => {
    const reader = createBlockReader()
    const first = reader.read('one\n\ntwo').finished
    expect(reader.read('one\n\ntwo and more').finished).toBe(first)
    expect(first).toEqual(['one\n\n'])
  })

  it('starts over for another text', () => {
    const reader = createBlockReader()
    reader.read('one\n\ntwo')
    expect(reader.read('other\n\ntext')).toEqual({ finished: ['other\n\n'], open: ['text'] })
  })
})

it('finds references where they are defined', () => {
  expect(hasReferences('see [x]\n\n[x]: https://example.org')).toBe(true)
  expect(hasReferences('an [x]: in the middle')).toBe(false)
})

const markdown = fc
  .array(
    fc.constantFrom(
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '1',
      '2) x',
      '  ',
      '    ',
      '\t',
      'word',
      '```',
      '````',
      '~~~',
      '```js\n',
      '> ',
      '# ',
      '+',
      '*',
      ' ',
      '$$',
      '$$\n',
      '\\[\n',
      '\\]',
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))
