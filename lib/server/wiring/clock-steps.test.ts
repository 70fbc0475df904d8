import { describe, expect, it } from 'vitest'
import { createRunLog, type RunLog } from '@/lib/server/runs/run-log'
import { createManualClock, type ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { follow, storedRuns, textOf } from '@/lib/server/chats/testing/stored-runs'
import { createOwnRate } from '@/lib/server/quota/rate'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createSharedClock } from './process/shared-clock.server'

/* A clock is changed while a reply is written: on the database's machine, or on a node. */

const HOUR = 3_600_000
const steps = [-HOUR, HOUR, 500 * 24 * HOUR, -8_000, 8_000]
const runs = storedRuns()
const ignore = () => {}

/** `time`: the real time; the database and each node have their own wall clocks, which can be set. */
function machines() {
  const time = createManualClock()
  const database = { ...time, set: 0 }
  runs.useClock({ ...time, now: () => time.now() + database.set })
  const node = async () => {
    const own = { ...time, set: 0, now: (): number => time.now() + own.set }
    const clock = createSharedClock(own, () => runs.store.time())
    await clock.look()
    const log = createRunLog({
      store: runs.store,
      clock,
      log: ignore,
      lastStep: () => clock.lastStep(),
    })
    return { own, clock, log }
  }
  return { time, database, node }
}

/**
 * Lets time pass like a node, which checks for dead replies continuously and compares the store's clock from time to
 * time.
 */
async function pass(
  time: ManualClock,
  nodes: readonly { readonly log: RunLog; readonly clock: { look(): Promise<void> } }[],
  ms: number,
) {
  for (let passed = 0; passed < ms; passed += 500) {
    await time.pass(500)
    for (const { log } of nodes) await log.endDead()
    if (passed % 5_000 === 0) for (const { clock } of nodes) await clock.look()
  }
}

describe.each(steps)('a clock that is changed by %d ms', (stepMs) => {
  it.each(['database', 'writer', 'reader', 'all'] as const)(
    'on the %s does not affect a running reply on two nodes',
    async (whose) => {
      const { time, database, node } = machines()
      const [writing, reading] = [await node(), await node()]
      const { run } = await runs.open()
      const writer = writing.log.write(run, ignore)
      const readers = [follow(writing.log, run), follow(reading.log, run)]
      for (let word = 0; word < 20; word += 1) {
        if (word === 8) {
          if (whose === 'database' || whose === 'all') database.set = stepMs
          if (whose === 'writer' || whose === 'all') writing.own.set = stepMs
          if (whose === 'reader' || whose === 'all') reading.own.set = stepMs
        }
        writer.write('text', `${word} `)
        await pass(time, [writing, reading], 500)
      }
      const stored = await runs.store.loadReply(run)
      expect(stored, 'stored while it is written').toMatchObject({ outcome: null })
      expect(textOf((await runs.store.readRunEvents(run, 0, 1_000))?.events)).toContain('17 18 ')
      await writer.end(finishedEnding())
      await pass(time, [writing, reading], 1_500)
      await Promise.all(readers.map(({ done }) => done))
      const whole = Array.from({ length: 20 }, (_, word) => `${word} `).join('')
      expect(await runs.store.loadReply(run)).toMatchObject({ text: whole, outcome: 'finished' })
      for (const { seen } of readers) {
        expect(textOf(seen)).toBe(whole)
        expect(seen.at(-1)).toMatchObject({ type: 'end', outcome: 'finished' })
      }
    },
  )

  it('does not keep a reply alive whose node died before', async () => {
    const { time, database, node } = machines()
    const judge = await node()
    const { run } = await runs.open()
    await pass(time, [judge], 2_000)
    database.set = stepMs
    await pass(time, [judge], 20_000)
    expect((await runs.store.loadRun(run))?.status).toBe('ended')
  })

  it('makes no request wait that would not have waited otherwise', async () => {
    const { time, database, node } = machines()
    const { own, clock } = await node()
    const rate = createOwnRate({ burst: 2, perSecond: 1, monotonic: () => clock.monotonic() })
    rate.wait('ada')
    database.set = stepMs
    own.set = stepMs
    expect(rate.wait('ada')).toBe(0)
    expect(rate.wait('ada')).toBe(1)
    await time.pass(1_000)
    expect(rate.wait('ada')).toBe(0)
  })
})
