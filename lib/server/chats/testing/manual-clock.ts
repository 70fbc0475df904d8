import { setImmediate } from 'node:timers/promises'
import { isStoreBusy } from '@/lib/server/store/testing/pending-store'
import type { Clock } from '../../runs/clock'

export interface ManualClock extends Clock {
  /** Lets `ms` pass: due tasks run in order, and what they started in the background gets room to go on. */
  pass(ms: number): Promise<void>
  /** Someone sets the wall clock on by `ms`, or back; no time passes. */
  step(ms: number): void
}

/** A clock that stands still until it is told to go on. `start`: what the wall clock says. */
export function createManualClock(start = 1_000_000): ManualClock {
  let now = 0
  let wall = start
  const tasks = new Set<{ readonly at: number; readonly task: () => void }>()
  return {
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
  }
}

/** Lets queries and streams that are under way come to rest: so many turns in which the store has nothing to do. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await setImmediate()
    if (isStoreBusy()) turn = -1
  }
}
