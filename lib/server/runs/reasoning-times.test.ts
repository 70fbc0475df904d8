import { expect, test } from 'vitest'
import { createReasoningTimes } from './run-log-writer'

/** The pieces with their times in milliseconds. */
function timesOf(...said: readonly (readonly [at: number, channel: 'text' | 'reasoning', piece: string])[]) {
  let time = 0
  const times = createReasoningTimes(() => time)
  for (const [at, channel, piece] of said) {
    time = at
    times.saw(channel, piece)
  }
  return (end: number) => {
    time = end
    return times.all()
  }
}

test('reasoning on its own channel ends with the first token of the reply', () => {
  const ends = timesOf(
    [100, 'reasoning', 'hm'],
    [3_000, 'reasoning', ' so'],
    [4_100, 'text', 'It is'],
    [9_000, 'text', '.'],
  )
  expect(ends(9_500)).toEqual([4_000])
})

test('later reasoning on its own channel extends the same thought, which is shown as one', () => {
  const ends = timesOf([0, 'reasoning', 'a'], [10, 'text', 'b'], [20, 'reasoning', 'c'], [50, 'text', 'd'])
  expect(ends(60)).toEqual([40])
})

test('each thought within the text has its own time', () => {
  const ends = timesOf(
    [0, 'text', '<thi'],
    [10, 'text', 'nk>a'],
    [1_010, 'text', '</think>b'],
    [2_000, 'text', '\n<think>'],
  )
  expect(ends(2_500)).toEqual([1_000, 500])
})

test('a reply without reasoning has no times', () => {
  expect(timesOf([0, 'text', 'a'])(10)).toBeNull()
})
