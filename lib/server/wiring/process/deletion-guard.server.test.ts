import { describe, expect, it } from 'vitest'
import { createManualClock } from '@/lib/server/chats/testing/manual-clock'
import { createDeletionGuard } from './clean-up-data.server'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function world() {
  const clock = createManualClock(Date.UTC(2026, 10, 26))
  let seen: number | null = null
  const logged: string[] = []
  const store = {
    trustedTime: () => Promise.resolve(seen),
    recordTrustedTime(at: number) {
      seen = at
      return Promise.resolve()
    },
  }
  const start = () => createDeletionGuard({ store, clock, log: (line) => logged.push(line) })
  /** Asks each minute, like the sweep; returns the answers. */
  const run = async (guard: () => Promise<boolean>, ms: number) => {
    const answers: boolean[] = []
    for (let passed = 0; passed < ms; passed += MINUTE) {
      answers.push(await guard())
      await clock.pass(MINUTE)
    }
    return answers
  }
  const settled = async () => {
    const guard = start()
    expect(await guard()).toBe(true)
    return guard
  }
  return { clock, start, run, settled, logged }
}

describe('deleting by age', () => {
  it('begins at once in a new database, which has no old data', async () => {
    const { start, run, logged } = world()
    expect(await run(start(), HOUR)).not.toContain(false)
    expect(logged).toEqual([])
  })

  it.each([HOUR, DAY, 500 * DAY])(
    'waits while the clock jumps %d ms ahead for one minute, and logs it once',
    async (ms) => {
      const { clock, run, settled, logged } = world()
      const guard = await settled()
      clock.step(ms)
      expect(await run(guard, MINUTE)).toEqual([false])
      clock.step(-ms)
      expect(await run(guard, 10 * MINUTE)).not.toContain(false)
      expect(logged).toHaveLength(1)
    },
  )

  it('waits after a start with a date that is 500 days ahead, and after each restart meanwhile', async () => {
    const { clock, start, run, settled, logged } = world()
    await settled()
    clock.step(500 * DAY)
    for (let starts = 0; starts < 3; starts += 1) expect(await run(start(), HOUR)).not.toContain(true)
    expect(logged[0]).toBe(
      'The clock is 500 days ahead of the last time that this database saw. Nothing is deleted by its age for the next 6 hours.',
    )
    clock.step(-500 * DAY)
    const guard = start()
    await run(guard, 4 * HOUR)
    expect(await guard()).toBe(true)
  })

  it('waits after a stop for as long as the stop lasted, six hours at most', async () => {
    const { clock, start, run, settled } = world()
    await settled()
    await clock.pass(HOUR)
    expect((await run(start(), 2 * HOUR)).indexOf(true)).toBe(60)
    await clock.pass(30 * DAY)
    expect((await run(start(), 7 * HOUR)).indexOf(true)).toBe(360)
  })

  it('continues at once after a restart and after a clock was set back', async () => {
    const { clock, start, run, settled } = world()
    const guard = await settled()
    expect(await run(start(), 5 * MINUTE)).not.toContain(false)
    clock.step(-HOUR)
    expect(await run(guard, 5 * MINUTE)).not.toContain(false)
  })

  it('starts its wait again if the clock jumps once more', async () => {
    const { clock, run, settled } = world()
    const guard = await settled()
    clock.step(20 * DAY)
    expect(await run(guard, 5 * HOUR)).not.toContain(true)
    clock.step(20 * DAY)
    expect(await run(guard, 5 * HOUR)).not.toContain(true)
  })
})
