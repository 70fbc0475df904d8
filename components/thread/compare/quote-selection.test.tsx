// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { quoted } from './over-thread'

it('marks each selected line, and keeps blank lines', () => {
  expect(quoted('  One line\n\nanother  ')).toBe('> One line\n>\n> another')
})

it('cuts a very long selection', () => {
  expect(quoted('x'.repeat(9_000))).toHaveLength(4_002)
})
