import fc from 'fast-check'
import { expect, it } from 'vitest'
import { smallestChange } from './edit-session'

it('leaves the common beginning and end alone', () => {
  expect(smallestChange('one two three', 'one 2 three')).toEqual({ from: 4, to: 7, insert: '2' })
  expect(smallestChange('aa', 'aaa')).toEqual({ from: 2, to: 2, insert: 'a' })
  expect(smallestChange('same', 'same')).toEqual({ from: 4, to: 4, insert: '' })
})

it('turns one into the other', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '\n')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, insert } = smallestChange(before, after)
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after)
    }),
  )
})
