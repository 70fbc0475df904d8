import { expect, test } from 'vitest'
import { figuresIn, median } from './figures.mjs'

test('figures are named by their line’s words, a table row’s by its number', () => {
  const output = [
    'messages  CPU  open',
    '      10    1  120.5',
    '   1,000    4  1,310',
    '\u001B[32mwarm: a fresh worker\u001B[39m  23.0 ms  4.1× faster than cold',
    'read 5 files',
    'read 7 files',
    '',
  ].join('\n')
  expect(figuresIn(output)).toEqual([
    ['row 1 #1', 10],
    ['row 1 #2', 1],
    ['row 1 #3', 120.5],
    ['row 2 #1', 1000],
    ['row 2 #2', 4],
    ['row 2 #3', 1310],
    ['warm: a fresh worker ms × faster than cold #1', 23],
    ['warm: a fresh worker ms × faster than cold #2', 4.1],
    ['read files #1', 5],
    ['read files (2) #1', 7],
  ])
  expect(median([9, 1, 5])).toBe(5)
})
