import { expect, it } from 'vitest'
import { openWorker } from './testing/worker'
import { legacyServer, modernServer, oldServer, testAddress } from './testing/mcp-servers'

/** As browsers do with HTTP/1.1: six connections per host in all tabs, each taken until its response has ended. */
function sixConnections(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const taken = new Set<object>()
  const waiting: (() => void)[] = []
  return async (input, init) => {
    init?.signal?.throwIfAborted()
    while (taken.size >= 6) {
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve)
        init?.signal?.addEventListener('abort', () => {
          const at = waiting.indexOf(resolve)
          if (at >= 0) waiting.splice(at, 1)
          reject(new DOMException('aborted', 'AbortError'))
        })
      })
    }
    const connection = {}
    taken.add(connection)
    const leave = () => {
      if (taken.delete(connection)) waiting.shift()?.()
    }
    init?.signal?.addEventListener('abort', leave)
    try {
      const response = await fetch(input, init)
      if (!response.body) {
        leave()
        return response
      }
      const reader = response.body.getReader()
      const body = new ReadableStream<Uint8Array>({
        async pull(out) {
          const { done, value } = await reader.read()
          if (!done) return out.enqueue(value)
          leave()
          return out.close()
        },
        cancel(reason) {
          leave()
          return reader.cancel(reason)
        },
      })
      return new Response(body, response)
    } catch (error) {
      leave()
      throw error
    }
  }
}

const { signal } = new AbortController()
const options = { signal, onProgress: () => {} }

it.each([
  ['2026-07-28', modernServer, 6],
  // Two connections are taken by streams for questions.
  ['2025-11-25', legacyServer, 4],
])('seven tabs with one server of %s and six connections do not hang', async (_version, makeServer, most) => {
  const server = makeServer()
  const fetch = sixConnections(server.fetch)
  // Two tabs may have a stream for questions; the others wait until their call ends.
  const places = [false, false]
  const tabs = Array.from({ length: 7 }, () =>
    openWorker(testAddress, fetch, new Map(), async (_name, work, { signal: over, onWait }) => {
      const place = places.indexOf(false)
      if (place >= 0) {
        places[place] = true
        return work().finally(() => (places[place] = false))
      }
      onWait()
      return new Promise((resolve) => over.addEventListener('abort', () => resolve()))
    }),
  )
  const met = await Promise.all(tabs.map((tab) => tab.connect(testAddress, 'auto')))
  expect(met.every(({ ok }) => ok)).toBe(true)
  expect((await Promise.all(tabs.map((tab) => tab.list()))).every(({ ok }) => ok)).toBe(true)
  const echo = (tab: (typeof tabs)[number], text: string) =>
    tab.call({ name: 'echo', args: { text }, timeoutMs: 20_000 }, options)
  const said = await Promise.all(tabs.map((tab, index) => echo(tab, `tab ${index}`)))
  expect(said.map(({ kind }) => kind)).toEqual(Array(7).fill('answered'))
  expect(server.seen.toSorted()).toEqual(tabs.map((_, index) => `echo tab ${index}`))

  // As many calls as there are connections: a stopped one frees its connection, though its server does not end its
  // stream.
  const stop = new AbortController()
  const begun: number[] = []
  const held = tabs
    .slice(0, most)
    .map((tab, index) =>
      tab.call(
        { name: 'steps', args: { steps: 1, waits: true }, timeoutMs: 20_000 },
        { signal: stop.signal, onProgress: ({ isUnheard }) => void (isUnheard || begun.push(index)) },
      ),
    )
  await expect.poll(() => begun.length).toBe(most)
  const seventh = echo(tabs[6] as (typeof tabs)[number], 'the seventh')
  stop.abort()
  expect((await Promise.all(held)).map(({ kind }) => kind)).toEqual(Array(most).fill('stopped'))
  expect(await seventh).toMatchObject({ kind: 'answered' })
  await expect.poll(() => server.seen.filter((line) => line === 'steps was cancelled')).toHaveLength(most)
  for (const tab of tabs) tab.close()
})

it('seven tabs with one old server, whose sessions are standing streams, and six connections do not hang', async () => {
  const server = oldServer()
  const fetch = sixConnections(server.fetch)
  // As the browser's locks do it in the worker: two places, and a queue for the second.
  const free = [true, true]
  const queue: (() => void)[] = []
  const hold = async (place: number, work: (isWanted: () => Promise<boolean>) => Promise<void>) => {
    free[place] = false
    await work(() => Promise.resolve(place === 1 && queue.length > 0))
    const next = place === 1 ? queue.shift() : undefined
    if (next) next()
    else free[place] = true
  }
  const tabs = Array.from({ length: 7 }, () =>
    openWorker(testAddress, fetch, new Map(), async (_name, work) => {
      const place = free.indexOf(true)
      if (place < 0) await new Promise<void>((resolve) => queue.push(resolve))
      await hold(place === 0 ? 0 : 1, work)
    }),
  )
  const use = async (tab: (typeof tabs)[number], index: number) => {
    expect(await tab.connect(testAddress, 'legacy')).toMatchObject({ ok: true })
    expect(await tab.list()).toMatchObject({ ok: true })
    const request = { name: 'echo', args: { text: `tab ${index}` }, timeoutMs: 20_000 }
    expect(await tab.call(request, options)).toMatchObject({ kind: 'answered' })
  }
  await Promise.all(tabs.map(use))
  expect(server.seen.toSorted()).toEqual(tabs.map((_, index) => `echo tab ${index}`))
  expect(server.streams()).toBeLessThanOrEqual(2)
  for (const tab of tabs) tab.close()
}, 30_000)

it('a call that is stopped before it is sent is not sent', async () => {
  const server = legacyServer()
  let isAsked = false
  // The stream on which the server may ask does not open, and calls wait for it a moment.
  const fetch: typeof globalThis.fetch = (input, init) => {
    if (init?.method !== 'GET') return server.fetch(input, init)
    isAsked = true
    return new Promise(() => {})
  }
  const tab = openWorker(testAddress, fetch)
  await tab.connect(testAddress, 'auto')
  const stop = new AbortController()
  const call = tab.call({ name: 'echo', args: { text: 'a' }, timeoutMs: 20_000 }, { ...options, signal: stop.signal })
  await expect.poll(() => isAsked).toBe(true)
  stop.abort()
  expect(await call).toEqual({ kind: 'stopped' })
  await tab.list()
  expect(server.seen).toEqual([])
})
