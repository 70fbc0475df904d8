import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store, StoreSignals } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createRunLog, type RunHandoff, type RunLog } from './run-log'
import { defaultRunLogTimes } from './run-log-reader'
import { createManualClock, settle } from '../chats/testing/manual-clock'
import { follow, storedRuns, textOf } from '../chats/testing/stored-runs'

/* Which process may declare a reply dead, and how a reply that could not be stored is reported. */

const { heartbeatMs, deadMs, stuckMs } = defaultRunLogTimes
const runs = storedRuns()
let store: Store
let databaseClock = createManualClock()
beforeAll(() => {
  store = runs.store
})

const ignore = () => {}

async function openRun(): Promise<RunKey> {
  databaseClock = createManualClock()
  runs.useClock(databaseClock)
  return (await runs.open()).run
}

/** A node on the shared database whose clock is off by `skewMs`. */
const nodeWith = (skewMs: number, over: Partial<Store> = {}): RunLog => {
  const clock = {
    now: () => databaseClock.now() + skewMs,
    monotonic: databaseClock.monotonic,
    after: databaseClock.after,
  }
  return createRunLog({ store: { ...store, ...over }, clock, log: ignore, describeLoss: String })
}

/** Simulates an unavailable store. */
const failingWhile = (isAway: () => boolean, error: Error) => ({
  staleRuns: (...args: Parameters<Store['staleRuns']>) => (isAway() ? Promise.reject(error) : store.staleRuns(...args)),
  readRunEvents: (...args: Parameters<Store['readRunEvents']>) =>
    isAway() ? Promise.reject(error) : store.readRunEvents(...args),
  loadRun: (...args: Parameters<Store['loadRun']>) => (isAway() ? Promise.reject(error) : store.loadRun(...args)),
  appendRunEvents: (...args: Parameters<Store['appendRunEvents']>) =>
    isAway() ? Promise.reject(error) : store.appendRunEvents(...args),
  endRun: (...args: Parameters<Store['endRun']>) => (isAway() ? Promise.reject(error) : store.endRun(...args)),
})

const statusOf = async (run: RunKey) => (await store.loadRun(run))?.status
describe('the first token', () => {
  it('is stored as soon as it arrives, however recent the start or the last heartbeat', async () => {
    for (const silentMs of [0, 1, 49, heartbeatMs - 1, heartbeatMs, heartbeatMs + 1, 2 * heartbeatMs + 20]) {
      const run = await openRun()
      const writer = nodeWith(0).write(run, ignore)
      await databaseClock.pass(silentMs)
      const at = databaseClock.now()
      writer.write('text', 'Hello')
      await settle()
      expect([silentMs, databaseClock.now() - at]).toEqual([silentMs, 0])
      expect(textOf((await store.readRunEvents(run, 0, 10))?.events ?? [])).toBe('Hello')
      await writer.end(finishedEnding())
    }
  })

  it('needs no heartbeat: none is sent early', async () => {
    const run = await openRun()
    const append = vi.fn<Store['appendRunEvents']>((...args) => store.appendRunEvents(...args))
    const writer = nodeWith(0, { appendRunEvents: append }).write(run, ignore)
    await databaseClock.pass(heartbeatMs - 10)
    expect(append).not.toHaveBeenCalled()
    await databaseClock.pass(20)
    expect(append).toHaveBeenCalledTimes(1)
    await writer.end(finishedEnding())
  })
})

describe('nodes whose clocks differ', () => {
  const skews = [-3_600_000, -8_000, 8_000, 3_600_000]

  it.each(skews.flatMap((writer) => [0, ...skews].map((judge) => [writer, judge] as const)))(
    'a writer off by %d ms is not ended by a judge off by %d ms while its heartbeat continues',
    async (writerMs, judgeMs) => {
      const run = await openRun()
      const stopped = vi.fn<() => void>()
      const writer = nodeWith(writerMs).write(run, stopped)
      const judge = nodeWith(judgeMs)
      const reader = follow(judge, run)
      for (let beat = 0; beat < 4; beat += 1) {
        await databaseClock.pass(3_000)
        await judge.sweep()
        expect(await judge.recoverIfDead(run)).toBe(false)
      }
      expect(await statusOf(run)).toBe('running')
      expect(stopped).not.toHaveBeenCalled()
      await writer.end(finishedEnding())
      await databaseClock.pass(300)
      await reader.done
      expect(reader.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'finished' })
    },
  )

  it.each(skews)('a judge off by %d ms ends a dead run when it is due, and not before', async (skewMs) => {
    const run = await openRun()
    const judge = nodeWith(skewMs)
    await databaseClock.pass(deadMs)
    expect(await judge.recoverIfDead(run)).toBe(false)
    await databaseClock.pass(1)
    expect(await judge.recoverIfDead(run)).toBe(true)
  })
})

describe('a node that could not reach the store', () => {
  it.each(['sweep', 'reader', 'loader', 'writer'] as const)(
    'ends no runs until others had time for a heartbeat, after its %s failed',
    async (who) => {
      const run = await openRun()
      let away = false
      const judge = nodeWith(
        0,
        failingWhile(() => away, new Error('gone')),
      )
      const own = (await runs.open()).run
      const writer = judge.write(own, ignore)
      // The whole store is unavailable for a while; the judge recovers first.
      away = true
      await databaseClock.pass(7_000)
      const failed = { sweep: () => judge.sweep(), loader: () => judge.recoverIfDead(run) }
      if (who === 'sweep' || who === 'loader') await failed[who]().catch(ignore)
      if (who === 'reader') await follow(judge, run).done.catch(ignore)
      if (who === 'writer') writer.write('text', 'x')
      await settle()
      away = false
      await judge.sweep()
      expect(await judge.recoverIfDead(run)).toBe(false)
      expect(await statusOf(run)).toBe('running')
      // No heartbeat returned, so the run is dead.
      await databaseClock.pass(6_100)
      await judge.sweep()
      expect(await statusOf(run)).toBe('ended')
      await writer.end(finishedEnding())
    },
  )

  it('waits just as long after a connection broke: a short crash may be over before its next query', async () => {
    const run = await openRun()
    let broken = () => {}
    const signals: StoreSignals = {
      send: ignore,
      listen: ignore,
      isListening: () => true,
      watchBreaks: (onBreak) => {
        broken = onBreak
      },
    }
    const judge = nodeWith(0, { signals })
    await databaseClock.pass(7_000)
    broken()
    await judge.sweep()
    expect(await statusOf(run)).toBe('running')
    await databaseClock.pass(6_100)
    await judge.sweep()
    expect(await statusOf(run)).toBe('ended')
  })
})

describe('a process that is known to be alive', () => {
  const heirsWho = (holds: RunHandoff['holds']): RunHandoff => ({
    writes: ignore,
    wrote: ignore,
    onDeath: ignore,
    holds,
  })
  const PROCESS = 7
  /** Who knows it, and how: the database by the process, the supervisor by the run. */
  const knowers: readonly (readonly [string, (lives: () => Promise<boolean>) => RunLog])[] = [
    [
      'the database',
      (lives) =>
        createRunLog({
          store: {
            ...store,
            loadRun: async (run) => {
              const row = await store.loadRun(run)
              return row && { ...row, process: PROCESS }
            },
            staleRuns: async (ms) => (await store.staleRuns(ms)).map((row) => ({ ...row, process: PROCESS })),
            readRunEvents: async (...args) => {
              const read = await store.readRunEvents(...args)
              return read && { ...read, run: { ...read.run, process: PROCESS } }
            },
            processes: { own: 1, lives: async (process) => process === PROCESS && (await lives()) },
          },
          clock: databaseClock,
          log: ignore,
        }),
    ],
    ['its supervisor', (lives) => createRunLog({ store, clock: databaseClock, log: ignore, handoff: heirsWho(lives) })],
  ]

  it.each(knowers)('may stall longer, as %s knows: its reply continues, no matter who checks', async (_, nodeOf) => {
    const run = await openRun()
    const judge = nodeOf(() => Promise.resolve(true))
    const reader = follow(judge, run)
    await databaseClock.pass(stuckMs - 1_000)
    await judge.endDead()
    await judge.sweep()
    expect(await judge.recoverIfDead(run)).toBe(false)
    expect(await statusOf(run)).toBe('running')
    // The process is back.
    const writer = nodeWith(0).write(run, ignore)
    writer.write('text', 'still here')
    await writer.end(finishedEnding())
    await databaseClock.pass(300)
    await reader.done
    expect(await store.loadReply(run)).toMatchObject({ text: 'still here', outcome: 'finished' })
  })

  it.each(knowers)('but not indefinitely, as %s knows: then it hangs, or its machine is gone', async (_, nodeOf) => {
    const run = await openRun()
    const judge = nodeOf(() => Promise.resolve(true))
    await databaseClock.pass(stuckMs)
    await judge.endDead()
    expect(await statusOf(run)).toBe('running')
    await databaseClock.pass(1)
    await judge.endDead()
    expect(await statusOf(run)).toBe('ended')
  })

  it.each(knowers)(
    'is dead once it is silent and gone, as %s knows; without an answer nothing ends',
    async (_, nodeOf) => {
      const run = await openRun()
      let answer = () => Promise.reject<boolean>(new Error('away'))
      const judge = nodeOf(() => answer())
      await databaseClock.pass(deadMs + 1)
      await judge.endDead()
      expect(await statusOf(run)).toBe('running')
      answer = () => Promise.resolve(false)
      await judge.endDead()
      expect(await statusOf(run)).toBe('ended')
    },
  )
})

describe('a process whose death was noticed', () => {
  /** A node, and the runs that it hands over to others. */
  function heirOf(over: Partial<Store> = {}) {
    const left = new Map<string, RunKey>()
    let end = (_run: RunKey): Promise<void> => Promise.resolve()
    const handoff: RunHandoff = {
      writes: (run) => left.set(run.runId, run),
      wrote: (runId) => left.delete(runId),
      holds: (runId) => Promise.resolve(left.has(runId)),
      onDeath: (then) => {
        end = then
      },
    }
    const log = createRunLog({ store: { ...store, ...over }, clock: databaseClock, log: ignore, handoff })
    return { log, left: () => [...left.values()], end: (run: RunKey) => end(run) }
  }

  it('hands its replies over to another one, which ends them at once and keeps their text', async () => {
    const run = await openRun()
    const dead = heirOf()
    const heir = heirOf()
    const writer = dead.log.write(run, ignore)
    writer.write('text', 'before ')
    await settle()
    expect(dead.left()).toEqual([run])
    const reader = follow(heir.log, run)
    await heir.end(run)
    await reader.done
    expect(await store.loadReply(run)).toMatchObject({ text: 'before ', outcome: 'interrupted' })
    expect(reader.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
    await writer.end(finishedEnding())
  })

  it('hands over no ended replies, and a process never ends its own', async () => {
    const run = await openRun()
    const node = heirOf()
    const writer = node.log.write(run, ignore)
    writer.write('text', 'all of it')
    await node.end(run)
    expect(await statusOf(run)).toBe('running')
    await writer.end(finishedEnding())
    expect(node.left()).toEqual([])
    const other = heirOf()
    await other.end(run)
    expect(await store.loadReply(run)).toMatchObject({ text: 'all of it', outcome: 'finished' })
  })

  it('hands over a reply that the store did not accept until it is stored late', async () => {
    const run = await openRun()
    let isFull = true
    const node = heirOf(failingWhile(() => isFull, new Error('The disk is full.')))
    const ending = node.log.write(run, ignore).end(finishedEnding())
    await databaseClock.pass(20_000)
    await ending
    expect(node.left()).toEqual([run])
    isFull = false
    await node.log.sweep()
    expect(node.left()).toEqual([])
  })
})

describe('a reply that the store does not accept', () => {
  const full = new Error('The disk is full.')

  it('is reported to its readers with the reason, and stored completely once there is space', async () => {
    const run = await openRun()
    let isFull = false
    const { appendRunEvents, endRun } = failingWhile(() => isFull, full)
    const log = nodeWith(0, { appendRunEvents, endRun })
    const writer = log.write(run, ignore)
    const reader = follow(log, run)
    writer.write('text', 'kept, ')
    await settle()
    isFull = true
    writer.write('text', 'and the rest')
    const ending = writer.end(finishedEnding())
    await databaseClock.pass(20_000)
    await ending
    await reader.done
    expect(textOf(reader.seen)).toBe('kept, and the rest')
    expect(reader.seen.at(-1)).toMatchObject({
      type: 'end',
      outcome: 'interrupted',
      failure: { message: expect.stringMatching(/could not be saved.*disk is full/) as string },
    })
    // A later reader gets the same, and the process does not end its own reply as dead.
    const late = follow(log, run)
    await late.done
    expect(late.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
    await log.sweep()
    expect(await statusOf(run)).toBe('running')

    isFull = false
    await log.sweep()
    expect(await store.loadReply(run)).toMatchObject({
      text: 'kept, and the rest',
      outcome: 'interrupted',
      failure: null,
    })
    const after = follow(log, run)
    await after.done
    expect(after.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
  })

  it.each([
    ['while it is written', 'the writer first', false],
    ['while it is written', 'the other node first', false],
    ['as it finishes', 'the writer first', true],
    ['as it finishes', 'the other node first', true],
  ] as const)(
    'has the same end on both nodes and in a store that was unavailable for 22 s %s, back at %s',
    async (_, backAt, isFinishing) => {
      const run = await openRun()
      let awayForWriter = false
      let awayForOther = false
      const stop = Promise.withResolvers<void>()
      const here = nodeWith(
        0,
        failingWhile(() => awayForWriter, full),
      )
      const there = nodeWith(
        0,
        failingWhile(() => awayForOther, full),
      )
      const writer = here.write(run, () => stop.resolve())
      const reader = follow(here, run)
      writer.write('text', 'kept')
      await databaseClock.pass(1_000)
      awayForWriter = true
      awayForOther = true
      writer.write('text', ', and more')
      const outcome = isFinishing ? 'finished' : 'interrupted'
      const ending = (isFinishing ? Promise.resolve() : stop.promise).then(() =>
        writer.end(finishedEnding({ outcome, runnableCalls: isFinishing ? 1 : 0 })),
      )
      await databaseClock.pass(22_000)
      await ending
      await reader.done
      const back = {
        'the writer first': [() => (awayForWriter = false), () => here.sweep()],
        'the other node first': [() => (awayForOther = false), () => there.sweep()],
      } as const
      for (const [open, sweep] of backAt === 'the writer first'
        ? [back['the writer first'], back['the other node first']]
        : [back['the other node first'], back['the writer first']]) {
        open()
        // A node that could not query the store ends no runs for this long.
        await databaseClock.pass(stuckMs)
        await sweep()
      }
      const stored = await store.loadReply(run)
      expect(stored).toMatchObject({ outcome: 'interrupted', failure: null })
      const ends = [reader, follow(here, run), follow(there, run)]
      for (const one of ends) {
        await one.done
        expect(one.seen.at(-1)).toMatchObject({ type: 'end', outcome: stored?.outcome })
      }
    },
  )

  it('ends while it is written, if nothing was stored for too long', async () => {
    const run = await openRun()
    const stopped = vi.fn<(outcome: string) => void>()
    const log = nodeWith(0, { appendRunEvents: () => Promise.reject(full) })
    const writer = log.write(run, stopped)
    writer.write('text', 'a')
    await databaseClock.pass(14_000)
    expect(stopped).not.toHaveBeenCalled()
    await databaseClock.pass(4_000)
    expect(stopped.mock.calls).toEqual([['interrupted']])
    const ending = writer.end(finishedEnding({ outcome: 'interrupted' }))
    await databaseClock.pass(10_000)
    await ending
  })
})
