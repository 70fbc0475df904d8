import fc from 'fast-check'
import papa from 'papaparse'
import { expect, it } from 'vitest'
import { csvText } from './display-table'

it('quotes only where needed', () => {
  expect(
    csvText([
      ['a', 1, null, true],
      ['x, y', '"', 'two\nlines', ' edge'],
    ]),
  ).toBe('a,1,,true\r\n"x, y","""","two\nlines"," edge"\r\n')
})

it('is read back unchanged by another parser', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é') })
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const read = papa.parse<string[]>(csvText(rows), { delimiter: ',', newline: '\r\n' }).data
      expect(read.slice(0, -1)).toEqual(rows)
    }),
  )
})
