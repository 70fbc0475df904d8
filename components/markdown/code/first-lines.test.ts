import { expect, it } from 'vitest'
import { firstLines } from './code-fence'

it('keeps a text within the limits whole', () => {
  expect(firstLines('a\nb\nc', 3, 100)).toEqual({ text: 'a\nb\nc', lines: 3, hidden: false })
  expect(firstLines('', 3, 100)).toEqual({ text: '', lines: 1, hidden: false })
})

it('ends a longer text after its last line that fits, and gives its number of lines', () => {
  expect(firstLines('a\nb\nc\nd', 2, 100)).toEqual({ text: 'a\nb', lines: 4, hidden: true })
})

it('cuts one long line in the middle', () => {
  expect(firstLines('x'.repeat(50), 2, 10)).toEqual({ text: 'x'.repeat(10), lines: 1, hidden: true })
})
