import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import { finishedEnding } from '@/lib/server/store/testing/rows'
import { createRunLog, type RunLog } from './run-log'
import { defaultRunLogTimes } from './run-log-reader'
import { createManualClock, type ManualClock } from '../chats/testing/manual-clock'
import { storedRuns } from '../chats/testing/stored-runs'

/*
 * One reply, two nodes, any number of readers that come, go and switch nodes at any time, a store that is temporarily
 * unavailable, and a node that may die in the middle.
 */

const runs = storedRuns()
let store: Store
beforeAll(() => {
  store = runs.store
})

const ignore = () => {}
const { aheadMs, giveUpMs, pollMs } = defaultRunLogTimes

/** A node whose connection to the store can be cut, temporarily or for good. */
function nodeOn(clock: ManualClock) {
  let isAway = false
  const guarded = <A extends readonly unknown[], R>(ask: (...args: A) => Promise<R>) => {
    return (...args: A) => (isAway ? Promise.reject(new Error('away')) : ask(...args))
  }
  const log = createRunLog({
    store: {
      ...store,
      appendRunEvents: guarded(store.appendRunEvents),
      endRun: guarded(store.endRun),
      readRunEvents: guarded(store.readRunEvents),
    },
    clock,
    log: ignore,
  })
  return {
    log,
    cut: (away: boolean) => {
      isAway = away
    },
  }
}

/** A reader that switches between nodes and continues from its position. */
function createViewer(clock: ManualClock, run: RunKey) {
  const seen: { readonly event: RunEvent; readonly at: number }[] = []
  let gone = new AbortController()
  let reading = Promise.resolve()
  const leave = async () => {
    gone.abort()
    await reading
  }
  return {
    seen,
    leave,
    async join(log: RunLog) {
      await leave()
      gone = new AbortController()
      const { signal } = gone
      const after = seen.at(-1)?.event.seq ?? 0
      const read = async () => {
        for await (const some of log.read(run, after, signal)) {
          if (signal.aborted) return
          for (const event of some) seen.push({ event, at: clock.now() })
        }
      }
      reading = read().catch(ignore)
    },
  }
}

const who = fc.integer({ min: 0, max: 2 })
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), text: fc.string({ minLength: 1, maxLength: 5 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 20, 49, 50, 60, 300, 1_100) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), who, here: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('away' as const), away: fc.boolean() }) },
)

it('shows every reader the same reply, from memory or the store; a kill loses at most one second of it', async () => {
  let withUnkept = 0
  let whole = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, dies) => {
      const clock = createManualClock()
      runs.useClock(clock)
      const { run, reply } = await runs.open()
      const here = nodeOn(clock)
      const there = nodeOn(clock)
      const writer = here.log.write(run, ignore, reply)
      const viewers = [0, 1, 2].map(() => createViewer(clock, run))
      let written = ''
      for (const one of steps) {
        if (one.do === 'write') {
          writer.write('text', one.text)
          written += one.text
        } else if (one.do === 'pass') await clock.pass(one.ms)
        else if (one.do === 'join') await viewers[one.who]?.join(one.here ? here.log : there.log)
        else here.cut(one.away)
      }

      const kept = (await store.readRunEvents(run, 0, 10_000))?.events ?? []
      for (const { seen } of viewers) {
        const unkept = seen.filter(({ event }) => event.seq > kept.length)
        const span = (unkept.at(-1)?.at ?? 0) - (unkept[0]?.at ?? 0)
        expect(span).toBeLessThanOrEqual(aheadMs)
        if (unkept.length > 0) withUnkept += 1
      }

      if (dies) here.cut(true)
      else here.cut(false)
      const ending = writer.end(finishedEnding())
      await clock.pass(dies ? giveUpMs + 1_000 : 10_000)
      await ending
      if (dies) await there.log.sweep()
      for (const viewer of viewers) {
        if (viewer.seen.at(-1)?.event.type !== 'end') await viewer.join(there.log)
      }
      await clock.pass(pollMs * 2)
      const final = await store.loadReply(run)
      if (!dies) expect(final).toMatchObject({ text: written, outcome: 'finished' })
      else expect(written.startsWith(final?.text ?? 'nothing')).toBe(true)
      for (const { seen, leave } of viewers) {
        await leave()
        const events = seen.map(({ event }) => event)
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
        const told = events.at(-1)
        // A reader that learned of the loss has seen more than was stored; all others see what is stored.
        if (told?.type === 'end' && told.failure !== null) continue
        expect(events.reduce<AssistantMessage>(foldRunEvent, reply)).toEqual(final)
        whole += 1
      }
    }),
    { numRuns: store.kind === 'sqlite' ? 60 : 8 },
  )
  // With few runs, there may be no such case.
  if (store.kind === 'sqlite') expect(withUnkept).toBeGreaterThan(0)
  expect(whole).toBeGreaterThan(0)
})
