import { expect, test } from 'vitest'
import { cx, recipe } from './recipe'

const lamp = recipe('block', { look: { default: 'bg-ok', busy: 'border' }, large: { on: 'size-4' } })

test('joins the base, the default of each variant, and the extra classes', () => {
  expect(lamp()).toBe('block bg-ok')
  expect(lamp({ look: undefined, large: false }, 'ms-auto')).toBe('block bg-ok ms-auto')
})

test('a chosen variant replaces the default', () => {
  expect(lamp({ look: 'busy', large: true })).toBe('block border size-4')
})

test('skips missing classes', () => {
  expect(cx('a', false, null, undefined, '', 'b')).toBe('a b')
})
