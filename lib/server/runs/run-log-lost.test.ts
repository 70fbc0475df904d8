import { beforeAll, describe, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createRunLog } from './run-log'
import { createManualClock, settle } from '../chats/testing/manual-clock'
import { follow, storedEvents, storedRuns } from '../chats/testing/stored-runs'

/*
 * A crashed database loses the last appends that it had acknowledged: in the middle of a reply, near its end, or before
 * its end.
 */

const runs = storedRuns()
let store: Store
beforeAll(() => {
  store = runs.store
})

const ignore = () => {}

async function openRun(over: Partial<Store> = {}) {
  const clock = createManualClock()
  runs.useClock(clock)
  const { run, reply } = await runs.open()
  const told: string[] = []
  const log = createRunLog({ store: { ...store, ...over }, clock, log: (message) => told.push(message) })
  return { clock, log, run, reply, told, writer: log.write(run, ignore, reply) }
}

/** Simulates what a crash does to asynchronous commits. */
async function forget({ owner, runId }: RunKey, after: number): Promise<number> {
  const { db } = store.database
  const gone = await db
    .deleteFrom('run_events')
    .where('owner', '=', owner)
    .where('run_id', '=', runId)
    .where('seq', '>', after)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

const seqs = (events: readonly RunEvent[]) => events.map(({ seq }) => seq)
const folded = (events: readonly RunEvent[], reply: AssistantMessage) =>
  events.reduce<AssistantMessage>(foldRunEvent, reply)

describe('a database that lost acknowledged events', () => {
  it.each([1, 2, 3, 4, 5])(
    'gets them again when it has %d events left, and every reader gets all of them once',
    async (left) => {
      const { clock, log, run, reply, told, writer } = await openRun()
      const elsewhere = createRunLog({ store, clock, log: ignore })
      const [here, there] = [follow(log, run), follow(elsewhere, run)]
      const words = ['one ', 'two ', 'three ', 'four ', 'five ']
      for (const word of words.slice(0, 4)) {
        writer.write('text', word)
        await clock.pass(600)
      }
      expect(await forget(run, left)).toBe(Math.max(0, 5 - left))
      // A reader that arrives in between sees a log that is shorter than before.
      const between = follow(elsewhere, run)
      await clock.pass(100)
      writer.write('text', words[4] ?? '')
      await clock.pass(1_000)
      expect(told).toHaveLength(left < 5 ? 1 : 0)
      expect(seqs(await storedEvents(store, run))).toEqual([1, 2, 3, 4, 5, 6])
      await writer.end(finishedEnding())
      await clock.pass(1_000)
      const final = await store.loadReply(run)
      expect(final).toMatchObject({ text: words.join(''), outcome: 'finished', failure: null })
      for (const reader of [here, there, between]) {
        await reader.done
        expect(seqs(reader.seen)).toEqual([1, 2, 3, 4, 5, 6, 7])
        expect(folded(reader.seen, reply)).toEqual(final)
      }
    },
  )

  it('gets them again with the next heartbeat of a writer that has no new text', async () => {
    const { clock, run, writer } = await openRun()
    writer.write('text', 'one ')
    await clock.pass(600)
    writer.write('text', 'two')
    await clock.pass(600)
    await forget(run, 1)
    await clock.pass(2_100)
    expect(seqs(await storedEvents(store, run))).toEqual([1, 2, 3])
    await writer.end(finishedEnding())
  })

  it('gets the whole reply at its end if that is the first request after the crash', async () => {
    const { run, reply, log, writer } = await openRun()
    writer.write('reasoning', 'hm')
    writer.write('text', 'all of it')
    await settle()
    await writer.end(finishedEnding({ runnableCalls: 0 }))
    const lost = await openRun()
    lost.writer.write('text', 'all of it')
    await settle()
    expect(await forget(lost.run, 1)).toBe(1)
    const reader = follow(lost.log, lost.run)
    await lost.writer.end(finishedEnding())
    await reader.done
    expect(await store.loadReply(run)).toMatchObject({ text: 'all of it', reasoning: 'hm', outcome: 'finished' })
    expect(await store.loadReply(lost.run)).toMatchObject({ text: 'all of it', outcome: 'finished' })
    expect(folded(reader.seen, lost.reply)).toEqual(await store.loadReply(lost.run))
    // A later reader gets the same, although the log has a gap.
    const late = follow(log, lost.run)
    await late.done
    expect(folded(late.seen, reply)).toEqual(await store.loadReply(lost.run))
  })

  it('gets the whole reply at its end if it lost more than the writer remembers', async () => {
    const { clock, log, run, reply, writer } = await openRun()
    const count = 700
    for (let at = 0; at < count; at += 1) {
      writer.write('text', `${at} `)
      await clock.pass(51)
    }
    await clock.pass(1_000)
    const behind = follow(createRunLog({ store, clock, log: ignore }), run, 2)
    await clock.pass(1_000)
    expect(await forget(run, 3)).toBeGreaterThan(600)
    const between = follow(createRunLog({ store, clock, log: ignore }), run)
    writer.write('text', 'last')
    await clock.pass(2_500)
    // Nobody is shown a reply with a gap.
    expect(folded(between.seen, reply).text).toBe('0 1 ')
    await writer.end(finishedEnding())
    await clock.pass(1_000)
    const text = `${Array.from({ length: count }, (_, at) => `${at} `).join('')}last`
    expect(await store.loadReply(run)).toMatchObject({ text, outcome: 'finished' })
    for (const reader of [between, behind, follow(log, run), follow(log, run, 900)]) {
      await reader.done
      expect(folded(reader.seen, reply)).toEqual(await store.loadReply(run))
      expect(seqs(reader.seen)).toEqual(reader.seen.map((_, at) => (reader.seen[0]?.seq ?? 0) + at))
    }
  })

  it('ends a reply whose writer died too as interrupted, with the remaining text', async () => {
    const { clock, run } = await openRun({ appendRunEvents: () => Promise.reject(new Error('gone')) })
    await store.appendRunEvents(run, [
      { seq: 2, type: 'delta', channel: 'text', text: 'kept' },
      { seq: 3, type: 'delta', channel: 'text', text: ' and lost' },
    ])
    await forget(run, 2)
    await clock.pass(7_000)
    const elsewhere = createRunLog({ store, clock, log: ignore })
    await elsewhere.sweep()
    const reader = follow(elsewhere, run, 3)
    await reader.done
    expect(reader.seen[0]).toMatchObject({ seq: 4, type: 'start', message: { text: 'kept' } })
    expect(reader.seen[1]).toMatchObject({ seq: 5, type: 'end', outcome: 'interrupted' })
  })
})

it('a reply with a gap in its log, whose writer died, is marked and runs no calls', async () => {
  const { clock, run } = await openRun({ appendRunEvents: () => Promise.reject(new Error('gone')) })
  await store.appendRunEvents(
    run,
    ['a', 'b', 'c'].map((text, at) => ({ seq: at + 2, type: 'delta', channel: 'text', text })),
  )
  const { db } = store.database
  await db.deleteFrom('run_events').where('run_id', '=', run.runId).where('seq', '=', 3).execute()
  await clock.pass(7_000)
  await createRunLog({ store, clock, log: ignore }).sweep()
  expect(await store.loadReply(run)).toMatchObject({ text: 'ac', outcome: 'interrupted', unreadable: 'part' })
})

it('retries the end of a reply as long as its text while the store is unavailable', async () => {
  let away = false
  const gone = () => new Error('gone')
  const { clock, log, run, writer } = await openRun({
    appendRunEvents: (...args) => (away ? Promise.reject(gone()) : store.appendRunEvents(...args)),
    endRun: (...args) => (away ? Promise.reject(gone()) : store.endRun(...args)),
  })
  const reader = follow(log, run)
  writer.write('text', 'whole')
  await clock.pass(500)
  away = true
  const ending = writer.end(finishedEnding())
  await clock.pass(14_000)
  expect(reader.seen.at(-1)?.type).toBe('delta')
  away = false
  await clock.pass(2_000)
  await ending
  await reader.done
  expect(reader.seen.at(-1)).toMatchObject({ type: 'end', outcome: 'finished', failure: null })
  expect(await store.loadReply(run)).toMatchObject({ text: 'whole', outcome: 'finished' })
})
