import { expect, test } from 'vitest'
import { cx, recipe } from './recipe'

const lamp = recipe('block', { look: { default: 'bg-ok', busy: 'border' }, large: { on: 'size-4' } })

test('what is always there, the default of each variant, and what the place adds', () => {
  expect(lamp()).toBe('block bg-ok')
  expect(lamp({ look: undefined, large: false }, 'ms-auto')).toBe('block bg-ok ms-auto')
})

test('a chosen look is in place of the default', () => {
  expect(lamp({ look: 'busy', large: true })).toBe('block border size-4')
})

test('nothing is joined that is not there', () => {
  expect(cx('a', false, null, undefined, '', 'b')).toBe('a b')
})
