import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits, toLineFeeds } from './edit-file/apply-edits'
import { editsBetween } from './edit-file/edits-between'
import { blockCount, piecesBetween, linesWithEnds, takenIn, textWith } from './text-blocks'

const line = fc.constantFrom('a', 'b', 'same', '', '  indented', '大', 'x\r')
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''))

test('lines keep their line endings', () => {
  expect(linesWithEnds('a\r\nb\n\nc')).toEqual(['a\r\n', 'b\n', '\n', 'c'])
  expect(linesWithEnds('')).toEqual([])
})

test('all blocks give the new text, none the old one, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const pieces = await piecesBetween(before, after)
      const all = Array.from({ length: blockCount(pieces) }, () => true)
      expect(textWith(pieces, all)).toBe(after)
      expect(textWith(pieces, [])).toBe(before)
      expect(takenIn(pieces, after)).toEqual(all)
    }),
  )
})

test('a choice of blocks is recognized in the text that it produces', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(fc.boolean()), async (before, after, choice) => {
      const pieces = await piecesBetween(before, after)
      const taken = Array.from({ length: blockCount(pieces) }, (_, at) => choice[at] ?? true)
      const now = textWith(pieces, taken)
      const found = takenIn(pieces, now)
      // Beyond ten blocks the search may give up.
      const again = found === null && blockCount(pieces) > 10 ? now : textWith(pieces, found ?? [])
      expect(again).toBe(now)
    }),
  )
})

test('rejects a text that is no choice of the blocks', async () => {
  const pieces = await piecesBetween('a\nb\nc\n', 'A\nb\nC\n')
  expect(takenIn(pieces, 'A\nb\nc\n')).toEqual([true, false])
  expect(takenIn(pieces, 'something else')).toBeNull()
})

test('edits between two texts turn one into the other, each found once', async () => {
  await fc.assert(
    fc.asyncProperty(text.map(toLineFeeds), text.map(toLineFeeds), async (before, after) => {
      // Edits use the line endings of the place, so those of the texts are equal here.
      fc.pre(before !== after && before !== '')
      const edits = await editsBetween(before, after)
      const done = applyEdits(before, edits)
      expect(done.ok && done.value.text).toBe(after)
    }),
  )
})

test('distant places become separate edits, with only the lines that they need', async () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\n'
  const edits = await editsBetween(before, 'ONE\ntwo\nthree\nfour\nfive\nSIX\n')
  expect(edits).toEqual([
    { search: 'one\n', replace: 'ONE\n' },
    { search: 'six\n', replace: 'SIX\n' },
  ])
})
