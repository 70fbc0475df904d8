// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { quoted } from './quote-selection'

it('marks each line of what was selected, and keeps its blank lines', () => {
  expect(quoted('  One line\n\nanother  ')).toBe('> One line\n>\n> another')
})

it('cuts what is very long', () => {
  expect(quoted('x'.repeat(9_000))).toHaveLength(4_002)
})
