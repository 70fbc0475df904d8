import { describe, expect, it } from 'vitest'
import { createWllamaClient, type WllamaWorkerPort } from './client'
import type { WllamaRequest } from './protocol'

interface FakeWorker extends WllamaWorkerPort {
  readonly sent: WllamaRequest[]
  isEnded: boolean
}

function setUp() {
  const workers: FakeWorker[] = []
  const waits: (() => void)[] = []
  const client = createWllamaClient({
    startWorker() {
      const sent: WllamaRequest[] = []
      const worker: FakeWorker = {
        sent,
        isEnded: false,
        postMessage: (message) => void sent.push(message),
        terminate() {
          worker.isEnded = true
        },
        onmessage: null,
        onerror: null,
      }
      workers.push(worker)
      return worker
    },
    wait: () => new Promise((resolve) => void waits.push(resolve)),
  })
  return { client, workers, waits }
}

const look = { ask: 'look', address: 'https://x.com/a.gguf' } as const
const write = { ask: 'write', turns: [], options: {} } as const
const seen = { name: 'a.gguf', address: 'https://x.com/a.gguf', bytes: 5, keptBytes: 0 }

describe('the page’s side of the worker', () => {
  it('starts it at the first request, and returns each response to its caller', async () => {
    const { client, workers } = setUp()
    expect(workers).toEqual([])
    const told: unknown[] = []
    const first = client.ask(look, { onTold: (each) => void told.push(each) })
    const second = client.ask({ ...look, address: 'https://x.com/b.gguf' })
    const [worker] = workers
    expect(workers).toHaveLength(1)
    const [a, b] = worker?.sent ?? []
    worker?.onmessage?.({ data: { id: b?.id ?? -1, answer: { ...seen, name: 'b.gguf' } } })
    worker?.onmessage?.({ data: { id: a?.id ?? -1, notice: { kind: 'bytes', done: 1, total: 5 } } })
    worker?.onmessage?.({ data: { id: a?.id ?? -1, answer: seen } })
    expect(await first).toEqual(seen)
    expect(await second).toMatchObject({ name: 'b.gguf' })
    expect(told).toEqual([{ kind: 'bytes', done: 1, total: 5 }])
  })

  it('gives the reason of a refusal', async () => {
    const { client, workers } = setUp()
    const asked = client.ask(look)
    const failed = {
      code: 'unavailable',
      reason: 'wllama.unreachable',
      values: { host: 'x.com' },
      message: 'no',
    } as const
    workers[0]?.onmessage?.({ data: { id: workers[0].sent[0]?.id ?? -1, failed } })
    await expect(asked).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'wllama.unreachable',
      values: { host: 'x.com' },
    })
  })

  it('releases a stopped request at once, tells the worker, and ignores later messages of it', async () => {
    const { client, workers, waits } = setUp()
    const stop = new AbortController()
    const told: unknown[] = []
    const asked = client.ask(write, { signal: stop.signal, onTold: (each) => void told.push(each) })
    const [worker] = workers
    const id = worker?.sent[0]?.id ?? -1
    stop.abort('enough')
    await expect(asked).rejects.toBe('enough')
    expect(worker?.sent[1]).toEqual({ id, stop: true })
    worker?.onmessage?.({ data: { id, notice: { kind: 'text', text: 'late' } } })
    worker?.onmessage?.({ data: { id, stopped: true } })
    // It ended by itself: nothing happens to it when the wait is over.
    waits[0]?.()
    await Promise.resolve()
    expect([told, worker?.isEnded]).toEqual([[], false])
  })

  it('ends a worker that does not end a stopped request, and starts another one for the next', async () => {
    const { client, workers, waits } = setUp()
    const stop = new AbortController()
    const asked = client.ask(write, { signal: stop.signal })
    const next = client.ask(look)
    const before = client.generation()
    stop.abort('enough')
    await expect(asked).rejects.toBe('enough')
    waits[0]?.()
    await expect(next).rejects.toMatchObject({ reason: 'wllama.crashed' })
    expect(workers[0]?.isEnded).toBe(true)
    expect(client.generation()).not.toBe(before)
    void client.ask(look).catch(() => {})
    expect(workers).toHaveLength(2)
  })

  it('ends a worker at once at a second stop, while it has not ended the first stopped request', async () => {
    const { client, workers } = setUp()
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = client.ask(write, { signal: first.signal })
    const behind = client.ask(write, { signal: second.signal })
    first.abort('enough')
    await expect(asked).rejects.toBe('enough')
    expect(workers[0]?.isEnded).toBe(false)
    second.abort('enough of this, too')
    await expect(behind).rejects.toBe('enough of this, too')
    expect(workers[0]?.isEnded).toBe(true)
    void client.ask(write).catch(() => {})
    expect(workers).toHaveLength(2)
  })

  it('ends it at once on request, only if something was stopped and still runs', async () => {
    const { client, workers } = setUp()
    const stop = new AbortController()
    const asked = client.ask(write, { signal: stop.signal })
    client.hasten()
    expect(workers[0]?.isEnded).toBe(false)
    stop.abort('enough')
    await expect(asked).rejects.toBe('enough')
    client.hasten()
    expect(workers[0]?.isEnded).toBe(true)
  })

  it('does not end a writing worker because of a cancelled download', async () => {
    const { client, workers } = setUp()
    const stops = [new AbortController(), new AbortController()]
    const asked = stops.map(({ signal }) => client.ask({ ask: 'fetch', address: 'https://x.com/a.gguf' }, { signal }))
    void client.ask(write).catch(() => {})
    stops.forEach((stop) => stop.abort('enough'))
    for (const each of asked) await expect(each).rejects.toBe('enough')
    client.hasten()
    expect(workers[0]?.isEnded).toBe(false)
  })

  it('rejects all waiting requests when the worker fails, and works with the next one', async () => {
    const { client, workers } = setUp()
    const asked = [client.ask(look), client.ask(write)]
    workers[0]?.onerror?.({ message: 'it did not load' })
    for (const each of asked) {
      await expect(each).rejects.toMatchObject({ reason: 'wllama.no-worker', values: { details: 'it did not load' } })
    }
    const again = client.ask(look)
    workers[1]?.onmessage?.({ data: { id: workers[1].sent[0]?.id ?? -1, answer: seen } })
    expect(await again).toEqual(seen)
  })

  it('does not begin a request that is already stopped', async () => {
    const { client, workers } = setUp()
    await expect(client.ask(write, { signal: AbortSignal.abort('before') })).rejects.toBe('before')
    expect(workers).toEqual([])
  })
})
