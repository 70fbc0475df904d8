import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  isOver,
  msBefore,
  msSince,
  msUntil,
  type EpochMs,
  type MonotonicClock,
  type MonotonicMs,
  type EpochClock,
} from './clocks'

describe('the wall clock and the monotonic clock', () => {
  it('cannot be used in place of each other', () => {
    expectTypeOf<EpochClock>().not.toExtend<MonotonicClock>()
    expectTypeOf<MonotonicClock>().not.toExtend<EpochClock>()
    expectTypeOf<EpochMs>().not.toExtend<MonotonicMs>()
  })

  it('compare a stored time with the current time', () => {
    expect([isOver(10, 9), isOver(10, 10)]).toEqual([false, true])
    expect([msUntil(10, 4), msUntil(10, 12)]).toEqual([6, 0])
    expect([msSince(10, 14), msSince(10, 4)]).toEqual([4, 0])
    expect(msBefore(10, 4)).toBe(6)
  })
})
