import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { isStoreBusy } from '@/lib/server/store/testing/pending-store'
import type { Clock } from '../../runs/clock'

export interface ManualClock extends Clock {
  /** Advances the clock by `ms`: runs due tasks in order, and lets their background work continue. */
  pass(ms: number): Promise<void>
  /**
   * Advances the clock in steps of a second until `done` has settled, and returns its value: work in other threads, such
   * as hashing, can register a task after a fixed span has passed.
   */
  passUntil<T>(done: Promise<T>): Promise<T>
  /** Moves the wall clock by `ms`, forward or back, as a person would; no time passes. */
  step(ms: number): void
}

/** A clock that advances only when told to. `start`: the initial wall-clock time in milliseconds. */
export function createManualClock(start = 1_000_000): ManualClock {
  let now = 0
  let wall = start
  const tasks = new Set<{ readonly at: number; readonly task: () => void }>()
  const clock: ManualClock = {
    now: () => wall + now,
    monotonic: () => now,
    after(ms, task) {
      const entry = { at: now + ms, task }
      tasks.add(entry)
      return () => tasks.delete(entry)
    },
    step(ms) {
      wall += ms
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        await settle()
        const [next] = [...tasks].toSorted((a, b) => a.at - b.at)
        if (!next || next.at > end) break
        now = Math.max(now, next.at)
        tasks.delete(next)
        next.task()
      }
      now = end
      await settle()
    },
    async passUntil(done) {
      const settled = done.then(
        () => true,
        () => true,
      )
      while (!(await Promise.race([settled, wait(5, false)]))) await clock.pass(1_000)
      return done
    },
  }
  return clock
}

/**
 * Waits until running queries and streams are idle: until the store has had nothing to do for this many turns of the
 * event loop.
 */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await setImmediate()
    if (isStoreBusy()) turn = -1
  }
}
