import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-view'

const lines = (count: number) => Array.from({ length: count }, (_, n) => `row ${n}`)

describe('diffLines', () => {
  it('shows the change with context, with old numbers for removed lines and new ones for added', async () => {
    const before = `${lines(20).join('\n')}\n`
    const after = before.replace('row 9', 'row nine\nand a half')
    expect(await diffLines(before, after, false)).toEqual([
      { kind: 'gap', count: 7 },
      { kind: 'same', number: 8, text: 'row 7' },
      { kind: 'same', number: 9, text: 'row 8' },
      { kind: 'del', number: 10, text: 'row 9' },
      { kind: 'add', number: 10, text: 'row nine' },
      { kind: 'add', number: 11, text: 'and a half' },
      { kind: 'same', number: 12, text: 'row 10' },
      { kind: 'same', number: 13, text: 'row 11' },
      { kind: 'gap', count: 8 },
    ])
  })

  it('shows every line on request', async () => {
    const found = await diffLines('a\nb\nc\n', 'a\nB\nc\n', true)
    expect(found?.map((line) => line.kind)).toEqual(['same', 'del', 'add', 'same'])
  })

  it('shows a file that becomes empty, and one that was', async () => {
    expect(await diffLines('a\nb\n', '', false)).toMatchObject([
      { kind: 'del', number: 1, text: 'a' },
      { kind: 'del', number: 2, text: 'b' },
    ])
    expect(await diffLines('', 'a\n', false)).toMatchObject([{ kind: 'add', number: 1, text: 'a' }])
  })

  it('accounts for every line of both texts', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map((all) => all.map((l) => `${l}\n`).join(''))
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        if (before === after) return
        const found = (await diffLines(before, after, false)) ?? []
        const count = (kinds: readonly string[]) =>
          found.reduce((sum, line) => sum + (!kinds.includes(line.kind) ? 0 : line.kind === 'gap' ? line.count : 1), 0)
        expect(count(['same', 'del', 'gap'])).toBe(before.split('\n').length - 1)
        expect(count(['same', 'add', 'gap'])).toBe(after.split('\n').length - 1)
      }),
    )
  })
})
