import { expect, test } from 'vitest'
import { formatBytes } from './locale'

test.each([
  [0, '0 B'],
  [418, '418 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [2100, '2.1 KB'],
  [999_949, '999.9 KB'],
  [999_951, '1 MB'],
  [8_000_000, '8 MB'],
  [96_200_000, '96.2 MB'],
  [1_500_000_000_000_000, '1500 TB'],
])('%d bytes reads as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
