import { expect, it } from 'vitest'
import { readRange } from './asset'

it('reads a single range of bytes, and answers any other with the whole file', () => {
  for (const [header, range] of [
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-5', { first: 95, last: 99 }],
    ['bytes=-500', { first: 0, last: 99 }],
    ['bytes=99-99', { first: 99, last: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=100-200', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=9-3', 'whole'],
    ['bytes=0-1,4-5', 'whole'],
    ['lines=0-1', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=a-b', 'whole'],
    [undefined, 'whole'],
  ] as const) {
    expect([header, readRange(header, 100)]).toEqual([header, range])
  }
})

it('finds no range in an empty file', () => {
  expect(readRange('bytes=0-0', 0)).toBe('none')
  expect(readRange('bytes=-1', 0)).toBe('none')
  expect(readRange(undefined, 0)).toBe('whole')
})
