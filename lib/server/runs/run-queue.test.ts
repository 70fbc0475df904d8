import { describe, expect, it } from 'vitest'
import { silentObserver } from './chat-observer'
import { createRunQueue, type Admission, type WaitingRun } from './run-queue'
import { createManualClock, settle } from '../chats/testing/manual-clock'

const always: (run: WaitingRun) => 'started' | 'full' | 'gone' = () => 'started'

/** A queue for `maxRuns` slots; `mayStart` is the store's answer for each owner. */
function open({ maxRuns = 1, maxQueued = 100, mayStart = always, isPressed = (): boolean => false } = {}) {
  const clock = createManualClock()
  const began: string[] = []
  const told: string[] = []
  const queue = createRunQueue({
    clock,
    maxRuns,
    maxQueued,
    isPressed,
    start: async (run) => mayStart(run),
    tell: (places) => {
      told.push(places.map(({ runId, place }) => `${runId}:${place}`).join(' '))
      return Promise.resolve()
    },
    log: () => {},
    observer: silentObserver,
  })
  const admissions = new Map<string, Admission>()
  const stops = new Map<string, AbortController>()
  return {
    queue,
    clock,
    began,
    told,
    /** Admits a reply; `queued`: as the store has it, or as this process decides. */
    async ask(owner: string, runId: string, queued?: boolean) {
      const admission = queue.admit()
      const stop = new AbortController()
      admissions.set(runId, admission)
      stops.set(runId, stop)
      void admission
        .turn({ owner, runId, queued: queued ?? admission.waits }, stop.signal)
        .then(() => began.push(runId))
        .catch(() => {
          admission.leave()
        })
      await settle()
      return admission.waits
    },
    async end(runId: string) {
      admissions.get(runId)?.leave()
      await settle()
    },
    async stop(runId: string) {
      stops.get(runId)?.abort(new Error('stopped'))
      await settle()
    },
    places: (...runIds: string[]) => runIds.map((runId) => queue.placeOf(runId)),
  }
}

describe('the queue of replies', () => {
  it('starts as many as there are slots, then tells who is next', async () => {
    const { ask, end, places, began } = open({ maxRuns: 2 })
    expect([await ask('a', 'a1'), await ask('b', 'b1'), await ask('c', 'c1'), await ask('d', 'd1')]).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(began).toEqual(['a1', 'b1'])
    expect(places('a1', 'c1', 'd1')).toEqual([null, 1, 2])
    await end('b1')
    expect(began).toEqual(['a1', 'b1', 'c1'])
    expect(places('c1', 'd1')).toEqual([null, 1])
  })

  it('serves owners in turn: an owner with many replies does not block the others', async () => {
    const { ask, end, places, began } = open()
    await ask('x', 'first')
    for (const n of [1, 2, 3, 4]) await ask('flood', `flood${n}`)
    await ask('ada', 'ada1')
    await ask('eve', 'eve1')
    await ask('ada', 'ada2')
    expect(places('flood1', 'ada1', 'eve1', 'flood2', 'ada2', 'flood3', 'flood4')).toEqual([1, 2, 3, 4, 5, 6, 7])
    for (const running of ['first', 'flood1', 'ada1', 'eve1', 'flood2', 'ada2', 'flood3']) await end(running)
    expect(began.slice(1)).toEqual(['flood1', 'ada1', 'eve1', 'flood2', 'ada2', 'flood3', 'flood4'])
  })

  it('blocks nobody because of an owner who uses all of their own slots', async () => {
    let adaMay = false
    const { ask, places, began, clock } = open({
      maxRuns: 5,
      mayStart: ({ owner }) => (owner !== 'ada' || adaMay ? 'started' : 'full'),
    })
    await ask('ada', 'ada1', true)
    await ask('ada', 'ada2', true)
    expect(await ask('eve', 'eve1')).toBe(false)
    expect(began).toEqual(['eve1'])
    expect(places('ada1', 'ada2')).toEqual([1, 2])
    adaMay = true
    await clock.pass(1_000)
    expect(began).toEqual(['eve1', 'ada1', 'ada2'])
  })

  it('removes a reply that is stopped while it waits, and moves the others up', async () => {
    const { ask, end, stop, places, began } = open()
    for (const owner of ['a', 'b', 'c']) await ask(owner, `${owner}1`)
    await stop('b1')
    expect(places('b1', 'c1')).toEqual([null, 1])
    await end('a1')
    expect(began).toEqual(['a1', 'c1'])
  })

  it('drops a reply that was ended elsewhere, and continues', async () => {
    const { ask, end, began, places } = open({ mayStart: ({ runId }) => (runId === 'b1' ? 'gone' : 'started') })
    for (const owner of ['a', 'b', 'c']) await ask(owner, `${owner}1`)
    await end('a1')
    expect(began).toEqual(['a1', 'c1'])
    expect(places('b1')).toEqual([null])
  })

  it('refuses when full, with the time to retry, and accepts the next when one has started', async () => {
    const { ask, end, queue } = open({ maxQueued: 2 })
    for (const owner of ['a', 'b', 'c']) await ask(owner, `${owner}1`)
    expect(() => queue.admit()).toThrow(
      expect.objectContaining({ code: 'unavailable', reason: 'chat.queue-full', retryAfterSeconds: 10 }) as Error,
    )
    await end('a1')
    expect(await ask('d', 'd1')).toBe(true)
  })

  it('frees a slot once, however often it is released', () => {
    const { queue } = open()
    const admission = queue.admit()
    admission.leave()
    admission.leave()
    expect(queue.admit().waits).toBe(false)
    expect(queue.admit().waits).toBe(true)
  })

  it('starts a few regularly under pressure, and all others soon after it', async () => {
    let pressed = false
    const { ask, began, clock } = open({ maxRuns: 100, isPressed: () => pressed })
    await ask('a', 'a1')
    pressed = true
    for (let n = 0; n < 40; n += 1) expect(await ask(`owner${n}`, `r${n}`)).toBe(true)
    expect(began).toEqual(['a1'])
    await clock.pass(100)
    expect(began).toHaveLength(9)
    await clock.pass(200)
    expect(began).toHaveLength(25)
    pressed = false
    await clock.pass(100)
    expect(began).toHaveLength(41)
  })

  it('reports changed places in the queue, at most every other second', async () => {
    const { ask, end, told, clock } = open()
    for (const owner of ['a', 'b', 'c']) await ask(owner, `${owner}1`)
    await clock.pass(1_000)
    expect(told).toEqual(['b1:1 c1:2'])
    await clock.pass(10_000)
    expect(told).toHaveLength(1)
    await end('a1')
    await clock.pass(1_000)
    expect(told).toEqual(['b1:1 c1:2', 'c1:1'])
  })

  it('retries when the store failed', async () => {
    let away = true
    const { ask, end, began, clock } = open({
      mayStart: () => {
        if (away) throw new Error('away')
        return 'started'
      },
    })
    await ask('a', 'a1')
    await ask('b', 'b1')
    await end('a1')
    expect(began).toEqual(['a1'])
    away = false
    await clock.pass(1_000)
    expect(began).toEqual(['a1', 'b1'])
  })
})
