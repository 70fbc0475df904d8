import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ndjsonOf } from './ndjson'

const decoder = new TextDecoder()

describe('the stream of a run', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('writes one object per line, and a blank line after each long silence', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    async function* source() {
      yield [{ seq: 1 }, { seq: 2 }]
      await released
      yield [{ text: 'a\nb \ud800' }]
    }
    const gone = new AbortController()
    const reader = ndjsonOf(source(), { gone, keepAliveMs: 10_000 }).getReader()
    const next = async () => decoder.decode((await reader.read()).value)
    expect(await next()).toBe('\n')
    expect(await next()).toBe('{"seq":1}\n{"seq":2}\n')
    for (const _ of [1, 2]) {
      const silent = next()
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await silent).toBe('\n')
    }
    release()
    expect(await next()).toBe('{"text":"a\\nb \\ud800"}\n')
    expect((await reader.read()).done).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('takes nothing from the source while nobody reads, and continues when someone does', async () => {
    let taken = 0
    async function* source() {
      for (;;) yield [{ seq: (taken += 1) }]
    }
    const reader = ndjsonOf(source(), { gone: new AbortController(), keepAliveMs: 10_000 }).getReader()
    await vi.advanceTimersByTimeAsync(60_000)
    const waiting = taken
    expect(waiting).toBeLessThan(3)
    for (let n = 0; n < 10; n += 1) await reader.read()
    expect(taken).toBeGreaterThan(waiting)
    await reader.cancel()
  })

  it('closes the source when the reader disconnects', async () => {
    const gone = new AbortController()
    let closed = false
    async function* source() {
      try {
        yield [{ seq: 1 }]
        await new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
      } finally {
        closed = true
      }
    }
    const reader = ndjsonOf(source(), { gone, keepAliveMs: 10_000 }).getReader()
    await reader.read()
    await reader.read()
    await reader.cancel()
    expect(gone.signal.aborted).toBe(true)
    expect(closed).toBe(true)
  })
})
