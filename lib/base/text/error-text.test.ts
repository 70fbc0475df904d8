import { expect, it } from 'vitest'
import { errorText } from '../app-error'
import { isRecord } from '../json'

it('returns the message of an error, and describes anything else', () => {
  const thrown = [new TypeError('No such file'), 'a text', undefined, { toString: () => 'its own word' }]
  expect(thrown.map(errorText)).toEqual(['No such file', 'a text', 'undefined', 'its own word'])
})

it('treats only objects with keys as records', () => {
  expect([{}, Object.create(null), [], null, 'text', () => {}].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
