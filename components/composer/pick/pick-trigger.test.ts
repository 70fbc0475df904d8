import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pickTrigger } from './pick-trigger'

const kindOf = (text: string, caret = text.length) => pickTrigger(text, caret)?.kind ?? null

it('picks prompts with a slash at the start of the field only', () => {
  expect(pickTrigger('/sum', 4)).toEqual({ kind: 'prompts', query: 'sum', start: 0, end: 4 })
  expect(pickTrigger('/web page', 0)).toMatchObject({ query: 'web page' })
  const words = ['', 'a /sum', ' /sum', '/notes/list.md', '/sum\nmore', '//', `/${'x'.repeat(61)}`]
  expect(words.filter((text) => kindOf(text) !== null)).toEqual([])
})

it('picks resources with an @ at the start of the current word', () => {
  expect(pickTrigger('see @rep and more', 8)).toEqual({ kind: 'resources', query: 'rep', start: 4, end: 8 })
  expect(kindOf('@')).toBe('resources')
  expect(kindOf('one\n@two')).toBe('resources')
  expect(['me@example.com', '@a b', '@@', 'x@'].filter((text) => kindOf(text) !== null)).toEqual([])
  expect(kindOf('see @rep', 2)).toBeNull()
})

it('gives a range within the text for any text and cursor', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('/', '@', ' ', 'a', '\n', '字', '😀') }), fc.nat(20), (text, at) => {
      const caret = Math.min(at, text.length)
      const found = pickTrigger(text, caret)
      if (!found) return
      const sign = found.kind === 'prompts' ? '/' : '@'
      expect(text.slice(found.start, found.end)).toBe(`${sign}${found.query}`)
    }),
  )
})
