import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { call, parameters } from '../probe'
import { findMismatch } from './judge'

const schema = parameters({
  city: { type: 'string' },
  'unit?': { type: 'string', default: 'celsius' },
  'days?': { type: 'integer' },
})
const expected = call('weather', { city: ['New York, NY', 'NYC'], unit: ['celsius', ''] })
const check = (given: JsonObject, wanted = expected) => findMismatch(given, wanted, schema)

describe('arguments against the allowed values', () => {
  it('match whatever the spaces, the case and the small punctuation', () => {
    expect(check({ city: 'new york NY' })).toBeNull()
    expect(check({ city: 'N.Y.C.', unit: 'Celsius' })).toBeNull()
    expect(check({ city: 'Boston' })).toEqual({ argument: 'city', how: 'other-value' })
  })

  it('may leave out what the list allows, and the default', () => {
    expect(check({ city: 'NYC' })).toBeNull()
    expect(check({}, expected)).toEqual({ argument: 'city', how: 'missing' })
    expect(check({ city: 'NYC' }, call('weather', { city: ['NYC'], unit: ['celsius'] }))).toBeNull()
    expect(check({ city: 'NYC' }, call('weather', { city: ['NYC'], unit: ['fahrenheit'] }))).toEqual({
      argument: 'unit',
      how: 'missing',
    })
  })

  it('may give an optional argument that was not asked for only with its default', () => {
    const wanted = call('weather', { city: ['NYC'] })
    expect(check({ city: 'NYC', unit: 'celsius' }, wanted)).toBeNull()
    expect(check({ city: 'NYC', unit: 'fahrenheit' }, wanted)).toEqual({ argument: 'unit', how: 'unexpected' })
    expect(check({ city: 'NYC', days: 3 }, wanted)).toEqual({ argument: 'days', how: 'unexpected' })
  })

  it('are compared by every character if they are exact', () => {
    const wanted = call('weather', { city: ["it's a_b"] }, ['city'])
    expect(check({ city: "it's a_b" }, wanted)).toBeNull()
    for (const near of ['it"s a_b', "it's ab", "It's a_b", "it's a_b "]) {
      expect(check({ city: near }, wanted)).toEqual({ argument: 'city', how: 'other-value' })
      expect(check({ city: near }, call('weather', { city: ["it's a_b"] }))).toBeNull()
    }
  })

  it('tell numbers, booleans and texts apart', () => {
    const wanted = call('weather', { city: ['x'], days: [3] })
    expect(check({ city: 'x', days: 3 }, wanted)).toBeNull()
    for (const other of ['3', true, [3], null]) {
      expect(check({ city: 'x', days: other }, wanted)).toEqual({ argument: 'days', how: 'other-value' })
    }
  })

  it('are compared within lists, in order, and objects, whose values are lists of allowed ones', () => {
    const wanted = call('weather', { city: [['A', 'b']], days: [{ from: [1, 2], to: [5], note: ['', 'x'] }] })
    expect(check({ city: ['a', 'B'], days: { from: 2, to: 5 } }, wanted)).toBeNull()
    expect(check({ city: ['b', 'a'], days: { from: 2, to: 5 } }, wanted)?.argument).toBe('city')
    expect(check({ city: ['a', 'b'], days: { from: 3, to: 5 } }, wanted)?.argument).toBe('days')
    expect(check({ city: ['a', 'b'], days: { from: 1 } }, wanted)?.argument).toBe('days')
    expect(check({ city: ['a', 'b'], days: { from: 1, to: 5, extra: 1 } }, wanted)?.argument).toBe('days')
  })
})
