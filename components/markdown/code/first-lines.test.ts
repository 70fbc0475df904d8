import { expect, it } from 'vitest'
import { firstLines } from './code-fence'

it('a text within the limits is whole', () => {
  expect(firstLines('a\nb\nc', 3, 100)).toEqual({ text: 'a\nb\nc', lines: 3, hidden: false })
  expect(firstLines('', 3, 100)).toEqual({ text: '', lines: 1, hidden: false })
})

it('a longer one ends with its last line that fits, and says how many there are', () => {
  expect(firstLines('a\nb\nc\nd', 2, 100)).toEqual({ text: 'a\nb', lines: 4, hidden: true })
})

it('one long line ends within itself', () => {
  expect(firstLines('x'.repeat(50), 2, 10)).toEqual({ text: 'x'.repeat(10), lines: 1, hidden: true })
})
