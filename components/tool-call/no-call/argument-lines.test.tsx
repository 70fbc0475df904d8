// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ArgumentLines } from './inactive-call-card'

afterEach(cleanup)

const shown = (value: string) => {
  const { container } = render(<ArgumentLines value={{ content: value }} />)
  return container.querySelector('dd')?.textContent
}

it.each([
  ['# Two days\n\n- tent\n- torch', '# Two days ↵  ↵ - tent ↵ - torch'],
  ['a\r\n  b', 'a ↵   b'],
  ['/notes/list.md', '/notes/list.md'],
])('shows a text of several lines on one, with line breaks as a sign: %j', (value, words) => {
  expect(shown(value)).toBe(words)
})

it.each([
  ['/notes/\u202elist.md', 'U+202E'],
  ['one\ntwo\u200b', 'U+200B'],
  ['one\ntwo\u2028three', 'U+2028'],
])('marks invisible characters, in one line and in several: %j', (value, label) => {
  expect(shown(value)).toContain(`⟨${label}⟩`)
})
