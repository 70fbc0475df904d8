import { expect, it } from 'vitest'
import { maxTableRows, readTable, tableSizeText } from './table-view'

it('takes the first row as names and detects the delimiter', async () => {
  for (const delimiter of [',', ';', '\t', '|']) {
    const text = [`name`, `size`].join(delimiter) + `\n` + ['"a\nb"', '2'].join(delimiter) + '\n\n'
    const table = await readTable(text)
    expect(table).toMatchObject({ columns: ['name', 'size'], rows: [['a\nb', '2']], delimiter, raggedRows: 0 })
  }
})

it('shows rows that are too long or too short, and counts them', async () => {
  const table = await readTable('a,b\n1\n1,2,3\n1,2\n')
  expect(table.columns).toEqual(['a', 'b', ''])
  expect(table.rows).toEqual([['1'], ['1', '2', '3'], ['1', '2']])
  expect(tableSizeText(table)).toBe('3 rows, 3 columns; 2 rows have more or fewer cells')
})

it('gives the number of rows and columns', async () => {
  expect(tableSizeText(await readTable(`a\n${'1\n'.repeat(12_000)}`, ','))).toBe('12,000 rows, 1 column')
  expect(tableSizeText(await readTable('', ','))).toBe('0 rows, 0 columns')
})

it('stops at a size that a page can hold', async () => {
  const table = await readTable(`a\n${'1\n'.repeat(maxTableRows + 5)}`, ',')
  expect(table.rows).toHaveLength(maxTableRows)
  expect(tableSizeText(table)).toBe('first 200,000 rows, 1 column')
})
