import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent } from '@/lib/shared/conversation/wire/run-event'
import { createRunLog, type RunLog } from './run-log'
import { defaultRunLogTimes } from './run-log-reader'
import { createManualClock, settle, type ManualClock } from '../chats/testing/manual-clock'
import { follow, storedEvents, storedRuns, textOf } from '../chats/testing/stored-runs'

const runs = storedRuns()
let store: Store
beforeAll(() => {
  store = runs.store
})

const ignore = () => {}

interface OpenRun {
  readonly clock: ManualClock
  readonly log: RunLog
  readonly run: RunKey
  readonly start: AssistantMessage
}

async function openRun(over: { store?: Store; report?: (message: string) => void } = {}): Promise<OpenRun> {
  const clock = createManualClock()
  runs.useClock(clock)
  const { run, reply } = await runs.open()
  const log = createRunLog({ store: over.store ?? store, clock, log: over.report ?? ignore })
  return { clock, log, run, start: reply }
}

describe('the run log', () => {
  it('shows and stores the first piece at once, joins later ones within 50 ms, and stores them soon after', async () => {
    const { clock, log, run } = await openRun()
    const writer = log.write(run, ignore)
    const reader = follow(log, run)
    writer.write('text', 'a')
    await settle()
    expect(textOf(reader.seen)).toBe('a')
    expect(textOf(await storedEvents(store, run))).toBe('a')
    for (const piece of 'bcd') writer.write('text', piece)
    writer.write('reasoning', 'r')
    writer.write('text', 'e')
    await clock.pass(40)
    expect(textOf(reader.seen)).toBe('a')
    await clock.pass(20)
    expect(textOf(reader.seen)).toBe('abcdre')
    expect(textOf(await storedEvents(store, run))).toBe('a')
    await clock.pass(350)
    const events = await storedEvents(store, run)
    expect(events).toEqual(reader.seen)
    expect(events.slice(2)).toEqual([
      { seq: 3, type: 'delta', channel: 'text', text: 'bcd' },
      { seq: 4, type: 'delta', channel: 'reasoning', text: 'r' },
      { seq: 5, type: 'delta', channel: 'text', text: 'e' },
    ])
    await writer.end(finishedEnding())
  })

  it('notifies readers of this process without polling, and ends them with the end', async () => {
    const { clock, log, run } = await openRun()
    const writer = log.write(run, ignore)
    const reader = follow(log, run)
    await settle()
    writer.write('text', 'hello')
    await settle()
    expect(textOf(reader.seen)).toBe('hello')
    await writer.end(finishedEnding())
    await settle()
    await reader.done
    expect(reader.seen.map(({ type }) => type)).toEqual(['start', 'delta', 'end'])
    expect(log.active.size).toBe(0)
    expect(clock.now()).toBe(1_000_000)
  })

  it('lets another process read by polling, also a late reader', async () => {
    const { clock, log, run } = await openRun()
    const elsewhere = createRunLog({ store, clock, log: ignore })
    const writer = log.write(run, ignore)
    const reader = follow(elsewhere, run)
    writer.write('text', 'one ')
    await clock.pass(200)
    expect(textOf(reader.seen)).toBe('one ')
    writer.write('text', 'two')
    await clock.pass(600)
    expect(textOf(reader.seen)).toBe('one two')
    await writer.end(finishedEnding())
    await clock.pass(200)
    await reader.done
    expect(reader.seen.at(-1)?.type).toBe('end')
    const late = follow(elsewhere, run, 2)
    await late.done
    expect(late.seen.map(({ seq }) => seq)).toEqual([3, 4])
  })

  it('keeps sending heartbeats while the model is silent, so that the run is not ended as dead', async () => {
    const { clock, log, run } = await openRun()
    const elsewhere = createRunLog({ store, clock, log: ignore })
    const writer = log.write(run, ignore)
    const reader = follow(elsewhere, run)
    await clock.pass(60_000)
    await elsewhere.sweep()
    expect((await store.loadRun(run))?.status).toBe('running')
    await writer.end(finishedEnding())
    await clock.pass(200)
    await reader.done
    expect(reader.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'finished' })
  })

  it('ends within six seconds of its producer’s death, even without readers; survives three lost heartbeats', () => {
    const { heartbeatMs, deadMs, lookMs } = defaultRunLogTimes
    expect(deadMs + lookMs).toBeLessThan(6_000)
    expect(deadMs).toBeGreaterThan(heartbeatMs * 4)
  })

  it.each(['reader', 'sweep', 'loader'] as const)(
    'lets a %s end the run of a dead producer, and keeps the text',
    async (who) => {
      const { clock, run } = await openRun()
      await store.appendRunEvents(run, [{ seq: 2, type: 'delta', channel: 'text', text: 'kept' }])
      const log = createRunLog({ store, clock, log: ignore })
      const reader = who === 'reader' ? follow(log, run) : null
      await clock.pass(defaultRunLogTimes.deadMs - 100)
      await log.endDead()
      expect(await log.recoverIfDead(run)).toBe(false)
      expect((await store.loadRun(run))?.status).toBe('running')
      await clock.pass(200)
      if (who === 'sweep') await log.endDead()
      if (who === 'loader') expect(await log.recoverIfDead(run)).toBe(true)
      await clock.pass(200)
      await reader?.done
      expect(await store.loadReply(run)).toMatchObject({ text: 'kept', outcome: 'interrupted' })
      expect((await storedEvents(store, run)).at(-1)).toMatchObject({ seq: 3, type: 'end', outcome: 'interrupted' })
      if (reader) expect(reader.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
    },
  )

  it('tells a writer to stop: at once in its own process, with the next heartbeat from another one', async () => {
    const here = await openRun()
    const stopHere = vi.fn<() => void>()
    const writer = here.log.write(here.run, stopHere)
    expect(await here.log.stop({ ...here.run, owner: 'eve' })).toBe(false)
    expect(stopHere).not.toHaveBeenCalled()
    expect(await here.log.stop(here.run)).toBe(true)
    await here.log.stop(here.run)
    expect(stopHere).toHaveBeenCalledTimes(1)
    await writer.end(finishedEnding({ outcome: 'stopped' }))
    expect(await here.log.stop(here.run)).toBe(false)

    const there = await openRun()
    const stopThere = vi.fn<() => void>()
    const other = there.log.write(there.run, stopThere)
    await createRunLog({ store, clock: there.clock, log: ignore }).stop(there.run)
    await there.clock.pass(2_100)
    expect(stopThere).toHaveBeenCalled()
    await other.end(finishedEnding({ outcome: 'stopped' }))
  })

  it('stops a writer whose chat was deleted', async () => {
    const { clock, log, run, start } = await openRun()
    const stopped = vi.fn<() => void>()
    const writer = log.write(run, stopped)
    const reader = follow(log, run)
    await settle()
    await store.deleteConversation('ada', start.conversationId)
    writer.write('text', 'x')
    await clock.pass(100)
    expect(stopped).toHaveBeenCalledTimes(1)
    await writer.end(finishedEnding())
    await clock.pass(2_100)
    await reader.done
  })

  it('keeps text while the store is unavailable, and stores it afterwards', async () => {
    let away = true
    const flaky: Store = {
      ...store,
      appendRunEvents: (...args) => (away ? Promise.reject(new Error('gone')) : store.appendRunEvents(...args)),
      endRun: (...args) => (away ? Promise.reject(new Error('gone')) : store.endRun(...args)),
    }
    const reports: string[] = []
    const { clock, log, run } = await openRun({ store: flaky, report: (message) => reports.push(message) })
    const writer = log.write(run, ignore)
    for (const piece of ['a', 'b', 'c']) {
      writer.write('text', piece)
      await clock.pass(60)
    }
    expect(reports).toHaveLength(1)
    const ended = writer.end(finishedEnding())
    await clock.pass(150)
    away = false
    await clock.pass(5_000)
    await ended
    expect(await store.loadReply(run)).toMatchObject({ text: 'abc', outcome: 'finished' })
    expect((await storedEvents(store, run)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  it('gives up if the store stays unavailable, and stops its heartbeat so that others recover the run', async () => {
    const gone: Store = {
      ...store,
      appendRunEvents: () => Promise.reject(new Error('gone')),
      endRun: () => Promise.reject(new Error('gone')),
    }
    const { clock, log, run } = await openRun({ store: gone })
    const writer = log.write(run, ignore)
    writer.write('text', 'lost')
    const ended = writer.end(finishedEnding())
    await clock.pass(30_000)
    await ended
    expect(log.active.size).toBe(0)
    const elsewhere = createRunLog({ store, clock, log: ignore })
    await elsewhere.sweep()
    expect(await store.loadReply(run)).toMatchObject({ outcome: 'interrupted' })
  })

  it('stops reading when the reader disconnects', async () => {
    const { log, run } = await openRun()
    log.write(run, ignore)
    const gone = new AbortController()
    const reader = follow(log, run, 0, gone.signal)
    await settle()
    gone.abort()
    await reader.done
    expect(reader.seen).toHaveLength(1)
  })

  it('gives the same message from every sequence number, before and after pruning', async () => {
    const piece = fc.record({
      channel: fc.constantFrom('text' as const, 'reasoning' as const),
      text: fc.oneof(fc.string(), fc.constantFrom('\ud83d', '\ude00', '\0', '\n')),
      pauseMs: fc.constantFrom(0, 10, 49, 50, 51, 2_500),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.boolean(), async (pieces, prune) => {
        const { clock, log, run, start } = await openRun()
        const writer = log.write(run, ignore)
        for (const { channel, text, pauseMs } of pieces) {
          writer.write(channel, text)
          await clock.pass(pauseMs)
        }
        const ending = writer.end(finishedEnding())
        await clock.pass(10)
        await ending
        const all = await storedEvents(store, run)
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1))
        const final = await store.loadReply(run)
        const whole = (channel: 'text' | 'reasoning') =>
          pieces.flatMap((one) => (one.channel === channel ? [one.text] : [])).join('')
        expect(final).toMatchObject({ text: whole('text'), reasoning: whole('reasoning'), outcome: 'finished' })

        if (prune) await store.pruneRunEvents(-1)
        for (let after = 0; after <= all.length + 1; after += 1) {
          const before = all.slice(0, after).reduce<AssistantMessage>(foldRunEvent, start)
          const reader = follow(log, run, after)
          await reader.done
          expect(reader.seen.map(({ seq }) => seq)).toEqual(reader.seen.map((_, index) => after + 1 + index))
          expect(reader.seen.at(-1)?.type).toBe('end')
          expect(reader.seen.reduce<AssistantMessage>(foldRunEvent, before)).toEqual(final)
        }
      }),
      // Each run makes hundreds of queries, which take long over a socket.
      { numRuns: store.kind === 'sqlite' ? 40 : 8 },
    )
  })
})
