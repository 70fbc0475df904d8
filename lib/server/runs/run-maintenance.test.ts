import { beforeAll, expect, it } from 'vitest'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createRunLog } from './run-log'
import { createManualClock, settle } from '../chats/testing/manual-clock'
import { storedRuns, textOf } from '../chats/testing/stored-runs'

/* Many replies of one process, and their cost in the store. */

const chats = storedRuns()
let store: Store
beforeAll(() => {
  store = chats.store
})

const openRuns = (count: number): Promise<RunKey[]> =>
  Promise.all(Array.from({ length: count }, async () => (await chats.open()).run))

const withheldOf = async (run: RunKey | undefined) =>
  run === undefined ? '' : textOf((await store.readRunEvents(run, 0, 1_000))?.events)

/** The store, recording the number of runs in each append. */
function watched(over: Partial<Store> = {}) {
  const asked: number[] = []
  const counting: Store = {
    ...store,
    appendRunEvents(run, events) {
      asked.push(1)
      return (over.appendRunEvents ?? store.appendRunEvents)(run, events)
    },
    appendEventsOfRuns(all) {
      asked.push(all.length)
      return (over.appendEventsOfRuns ?? store.appendEventsOfRuns)(all)
    },
  }
  return { store: counting, asked }
}

const SECONDS = 4

/** Twenty tokens per second for each of `runs`, all at different moments. */
async function writeAll(given: Store, runs: readonly RunKey[], stopped: (run: RunKey) => void = () => {}) {
  const clock = createManualClock()
  chats.useClock(clock)
  const log = createRunLog({ store: given, clock, log: () => {} })
  const writers = runs.map((run) => log.write(run, () => stopped(run)))
  for (let tick = 0; tick < SECONDS * 20; tick += 1) {
    for (const writer of writers) {
      writer.write('text', `${tick} `)
      await clock.pass(50 / runs.length)
    }
  }
  return { clock, log, writers }
}
const said = Array.from({ length: SECONDS * 20 }, (_, tick) => `${tick} `).join('')

it('stores the events that many replies have at a moment in one transaction, without losing any', async () => {
  const runs = await openRuns(8)
  const { store: given, asked } = watched()
  const { writers, clock } = await writeAll(given, runs)
  // Separate transactions would be eight times ten in four seconds, and eight for the first tokens.
  const rest = asked.slice(runs.length)
  expect(rest.length).toBeLessThan(SECONDS * 12)
  expect(rest.some((count) => count > 2)).toBe(true)
  const ends = writers.map((writer) => writer.end(finishedEnding()))
  await clock.pass(1_000)
  await Promise.all(ends)
  for (const run of runs) {
    expect(await withheldOf(run)).toBe(said)
    expect((await store.loadReply(run))?.text).toBe(said)
  }
})

it('stores a first token at once, together with the events that wait', async () => {
  const [one, two] = await openRuns(2)
  if (!one || !two) throw new Error('no runs')
  const clock = createManualClock()
  chats.useClock(clock)
  const log = createRunLog({ store, clock, log: () => {} })
  const [first, second] = [log.write(one, () => {}), log.write(two, () => {})]
  first.write('text', 'a')
  second.write('text', 'b')
  await settle()
  expect([await withheldOf(one), await withheldOf(two)]).toEqual(['a', 'b'])
  const ends = [first.end(finishedEnding()), second.end(finishedEnding())]
  await clock.pass(1_000)
  await Promise.all(ends)
})

it('isolates runs: one does not fail because of another, and is not told of its end', async () => {
  const runs = await openRuns(5)
  const [broken, ended] = runs
  const refuse = () => Promise.reject(new Error('this run cannot be stored'))
  const { store: given } = watched({
    appendRunEvents: (run, events) => (run.runId === broken?.runId ? refuse() : store.appendRunEvents(run, events)),
    appendEventsOfRuns: (all) =>
      all.some(({ run }) => run.runId === broken?.runId) ? refuse() : store.appendEventsOfRuns(all),
  })
  if (ended) await store.endRun(ended, finishedEnding({ outcome: 'stopped' }), 1)
  const stopped: string[] = []
  const { writers, clock } = await writeAll(given, runs, ({ runId }) => stopped.push(runId))
  await clock.pass(500)
  expect(stopped).toEqual([ended?.runId])
  for (const run of runs.slice(2)) expect(await withheldOf(run)).toBe(said)
  expect(await withheldOf(broken)).toBe('')
  // The end also stores what failed before.
  const ends = writers.map((writer) => writer.end(finishedEnding()))
  await clock.pass(60_000)
  await Promise.all(ends)
  expect(await withheldOf(broken)).toBe(said)
  if (ended) expect(await store.loadReply(ended)).toMatchObject({ text: '', outcome: 'stopped' })
})

it('runs two transactions at a time, however slow they are; later events share the next one', async () => {
  const runs = await openRuns(12)
  const open: (() => void)[] = []
  let most = 0
  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.push(resolve)
    most = Math.max(most, open.length)
    await promise
    return work()
  }
  const { store: given, asked } = watched({
    appendRunEvents: (run, events) => slowly(() => store.appendRunEvents(run, events)),
    appendEventsOfRuns: (all) => slowly(() => store.appendEventsOfRuns(all)),
  })
  const clock = createManualClock()
  chats.useClock(clock)
  const log = createRunLog({ store: given, clock, log: () => {} })
  const writers = runs.map((run) => log.write(run, () => {}))
  for (const writer of writers) writer.write('text', 'one')
  await clock.pass(100)
  expect(asked).toEqual([1, 1])
  open.shift()?.()
  await expect.poll(() => asked).toEqual([1, 1, 10])
  // The other transaction hangs, but blocks nobody else.
  open.pop()?.()
  await expect.poll(async () => withheldOf(runs.at(-1))).toBe('one')
  expect(most).toBe(2)
  let ended = 0
  for (const writer of writers) void writer.end(finishedEnding()).then(() => (ended += 1))
  await expect
    .poll(async () => {
      for (const next of open.splice(0)) next()
      await clock.pass(50)
      return ended
    })
    .toBe(runs.length)
  for (const run of runs) expect((await store.loadReply(run))?.text).toBe('one')
})
