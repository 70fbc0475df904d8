import { expect, test } from 'vitest'
import { createDrawingTime } from './drawing-time'

/** The test sets how long rendering takes. */
function world() {
  const state = { now: 0, soon: [] as (() => void)[], drawn: [] as string[] }
  const time = createDrawingTime({ monotonic: () => state.now, soon: (task) => void state.soon.push(task) })
  const draw = (name: string, ms: number) => () => {
    state.drawn.push(name)
    state.now += ms
  }
  const turn = () => state.soon.shift()?.()
  return { state, time, draw, turn }
}

test('renders a few formulas at once and makes a thousand wait for their turn', () => {
  const { state, time, draw, turn } = world()
  const atOnce = Array.from({ length: 40 }, (_, at) => time.now(draw(`${at}`, 1))).filter(Boolean).length
  expect(atOnce).toBe(20)
  for (let at = 0; at < 50; at++) time.later(draw(`later ${at}`, 1))
  expect(state.soon).toHaveLength(1)
  turn()
  expect(state.drawn).toHaveLength(40)
  turn()
  turn()
  expect(state.drawn).toHaveLength(70)
  expect(state.soon).toHaveLength(0)
})

test('renders waiting formulas first, and removed ones never', () => {
  const { state, time, draw, turn } = world()
  time.later(draw('a', 1))
  const stop = time.later(draw('b', 1))
  expect(time.now(draw('c', 1))).toBe(false)
  stop()
  turn()
  expect(state.drawn).toEqual(['a'])
  expect(time.now(draw('c', 1))).toBe(true)
})
