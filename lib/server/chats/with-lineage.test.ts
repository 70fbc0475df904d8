import { expect, it } from 'vitest'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { replyRow } from '@/lib/client/chats/testing/rows'
import { createManualClock } from './testing/manual-clock'
import { withPlaces } from './run-views'

const start: RunEvent = { seq: 1, type: 'start', message: replyRow('a', 'u', { outcome: null }) }
const words: RunEvent = { seq: 2, type: 'delta', channel: 'text', text: 'hi' }

/** A run that yields `start`, and its text when allowed; `places` are the results of the checks. */
function open(places: (number | null)[], isAlive = () => false) {
  const clock = createManualClock()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let isClosed = false
  async function* events() {
    try {
      yield [start]
      await begun
      yield [words]
    } finally {
      isClosed = true
    }
  }
  let looks = 0
  const placeOf = async () => places[(looks += 1) - 1] ?? null
  const lines = withPlaces(events(), { placeOf, isAlive, clock })
  const seen: unknown[] = []
  const done = (async () => {
    for await (const some of lines)
      for (const line of some)
        seen.push(line.type !== 'queued' ? line.type : line.isAlive === true ? 'alive' : line.place)
  })()
  return { clock, begin, seen, done, lines, looks: () => looks, isClosed: () => isClosed }
}

it('reports a changed place in the queue, and once that the turn has come', async () => {
  const { clock, seen, looks, begin, done, isClosed } = open([2, 2, 1, null, 7])
  await clock.pass(20_000)
  expect(seen).toHaveLength(4)
  expect(seen.filter((line) => line !== 'start')).toEqual([2, 1, null])
  expect(looks()).toBe(4)
  begin()
  await done
  expect(seen.at(-1)).toBe('delta')
  expect(isClosed()).toBe(true)
})

it('reports nothing for a reply that never waited, and checks no more', async () => {
  const { clock, seen, looks, begin, done } = open([null])
  await clock.pass(20_000)
  begin()
  await done
  expect(seen).toEqual(['start', 'delta'])
  expect(looks()).toBe(1)
})

it('reports once that the model’s server has responded, and not while the reply is queued', async () => {
  let alive = true
  const { clock, seen, begin, done } = open([2, 1, null], () => alive)
  await clock.pass(20_000)
  alive = false
  await clock.pass(20_000)
  begin()
  await done
  expect(seen.filter((line) => line !== 'start')).toEqual([2, 1, 'alive', 'delta'])
})

it('notices a late response of the model’s server', async () => {
  let alive = false
  const { clock, seen, looks, begin, done } = open([null], () => alive)
  await clock.pass(20_000)
  alive = true
  await clock.pass(20_000)
  begin()
  await done
  expect(seen).toEqual(['start', 'alive', 'delta'])
  expect(looks()).toBe(1)
})

it('stops checking after the first token, and reports the last known state while nothing can be asked', async () => {
  const clock = createManualClock()
  let looks = 0
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  async function* events() {
    yield [start]
    await held
    yield [words]
    await new Promise<void>((resolve) => clock.after(60_000, resolve))
  }
  const placeOf = () => ((looks += 1) === 1 ? Promise.resolve(4) : Promise.reject(new Error('away')))
  const seen: unknown[] = []
  const done = (async () => {
    for await (const some of withPlaces(events(), { placeOf, isAlive: () => false, clock })) seen.push(...some)
  })()
  await clock.pass(5_000)
  release()
  await clock.pass(1_000)
  const before = looks
  await clock.pass(60_000)
  await done
  expect(looks).toBe(before)
  expect(seen.filter((line) => (line as { type: string }).type === 'queued')).toEqual([{ type: 'queued', place: 4 }])
})
