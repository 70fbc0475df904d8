import { expect, it } from 'vitest'
import { errorText } from '../app-error'
import { isRecord } from '../json'

it('says of an error its message, and of anything else what it is', () => {
  const thrown = [new TypeError('No such file'), 'a text', undefined, { toString: () => 'its own word' }]
  expect(thrown.map(errorText)).toEqual(['No such file', 'a text', 'undefined', 'its own word'])
})

it('takes for a record only what has keys of its own', () => {
  expect([{}, Object.create(null), [], null, 'text', () => {}].map(isRecord)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})
