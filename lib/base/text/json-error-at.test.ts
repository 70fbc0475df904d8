import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonErrorAt } from './json-error-at'

describe('jsonErrorAt', () => {
  it.each([
    ['{"path": /}', 9],
    ['{"a": 1,}', 8],
    ["{'a': 1}", 1],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['[1]]', 3],
    ['{"a": tru}', 6],
    ['{"a": "x', 6],
    ['{"a": 1', 7],
    ['', 0],
    ['["a\nb"]', 3],
  ])('finds the error position in %s', (text, at) => {
    expect(jsonErrorAt(text)).toBe(at)
  })

  it.each(['{"a": "\u007f\u0085é"}', '[]', ' {} ', '-0.5e-3'])('finds no error in %s', (text) => {
    expect(jsonErrorAt(text)).toBeNull()
  })

  it('agrees with the engine on what is JSON, whatever is cut out of it', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat({ max: 3 }), (text, from, count) => {
        const cut = from % (text.length + 1)
        const damaged = text.slice(0, cut) + text.slice(cut + count)
        let valid = true
        try {
          JSON.parse(damaged)
        } catch {
          valid = false
        }
        expect(jsonErrorAt(damaged) === null).toBe(valid)
      }),
      { numRuns: 1000 },
    )
  })
})
