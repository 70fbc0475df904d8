import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import type { TabEnd, TabPieces, TabRunState } from '@/lib/shared/conversation/wire/tab-run'
import { createConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { TabAnswer, TabApi } from './reply-pieces'
import { tabWriterTimes, writeReply } from './write-reply'

const DEAD_MS = 6_000
const usage = {
  inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}
const finish = (unified: 'stop' | 'length' | 'error' = 'stop'): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage,
})

/** A clock that advances while everything waits. */
function createTime() {
  let at = 0
  const timers = new Set<{ readonly at: number; readonly wake: () => void }>()
  return {
    monotonic: () => at,
    wait: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) return resolve()
        const timer = { at: at + ms, wake: () => (timers.delete(timer), resolve()) }
        timers.add(timer)
        signal?.addEventListener('abort', timer.wake, { once: true })
      }),
    /** Runs until the work is done, or this much time has passed. */
    async run(work: Promise<unknown>, maxMs = 60_000) {
      let done = false
      void work.then(() => (done = true))
      const until = at + maxMs
      let idle = 0
      for (;;) {
        if (done || at >= until) break
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
        await new Promise((resolve) => setImmediate(resolve))
        if (done) break
        const first = [...timers].toSorted((a, b) => a.at - b.at)[0]
        if (!first) {
          if (timers.size === 0 && (idle += 1) > 5) at = until
          continue
        }
        idle = 0
        at = Math.max(at, first.at)
        first.wake()
      }
      return done
    },
  }
}

/** The rules of the server, and a network that fails on request. */
function createServer(monotonic: () => number, network: (what: string) => 'ok' | 'lost' | 'answer-lost' = () => 'ok') {
  const state = {
    text: '',
    next: 2,
    live: true,
    stop: false,
    end: null as TabEnd | null,
    beatAt: monotonic(),
    maxSilence: 0,
    asked: 0,
  }
  const die = () => {
    if (state.live && monotonic() - state.beatAt > DEAD_MS) state.live = false
  }
  const beat = () => {
    state.maxSilence = Math.max(state.maxSilence, monotonic() - state.beatAt)
    state.beatAt = monotonic()
  }
  const answer = (): TabRunState => ({ live: state.live, stopRequested: state.stop, next: state.next, full: false })
  const over = async <T>(what: string, work: () => T): Promise<TabAnswer<T>> => {
    await Promise.resolve()
    state.asked += 1
    const how = network(what)
    if (how === 'lost') return { ok: false, may: 'later', reason: '', waitMs: 0 }
    die()
    const value = work()
    return how === 'ok' ? { ok: true, value } : { ok: false, may: 'later', reason: '', waitMs: 0 }
  }
  const api: TabApi = {
    prompt: () => over('prompt', () => ({ prompt: [], nativeTools: [], failure: null })),
    pieces: (_, { pieces }: TabPieces) =>
      over('pieces', () => {
        if (!state.live) return answer()
        beat()
        for (const piece of pieces)
          if (piece.seq === state.next) {
            state.text += piece.text
            state.next += 1
          }
        return answer()
      }),
    end: (_, end) =>
      over('end', () => {
        if (state.live && end.lastSeq === state.next - 1) {
          state.live = false
          state.end = end
        }
        return answer()
      }),
  }
  return { api, state }
}

type Step = string | { readonly pauseMs: number }

function modelOf(
  steps: readonly Step[],
  time: ReturnType<typeof createTime>,
  last: LanguageModelV4StreamPart | 'hangs' = finish(),
): BrowserModel {
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'test',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('streams')),
    doStream: ({ abortSignal }) =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          async start(out) {
            for (const step of steps) {
              if (abortSignal?.aborted) return out.error(abortSignal.reason)
              if (typeof step === 'string') out.enqueue({ type: 'text-delta', id: '0', delta: step })
              else await time.wait(step.pauseMs, abortSignal)
            }
            if (last === 'hangs') return
            out.enqueue(last)
            out.close()
          },
        }),
      }),
  }
  const info = { id: 'browser/test:m', label: 'M', providerLabel: 'Test', contextTokens: null, simulated: false }
  return { info, languageModel: () => model, dispose() {} }
}

/** These models can't be constrained. */
const noConstrained = () =>
  createConstrainedDecoding({
    offerOf: () => null,
    modelWith: () => {
      throw new Error('no model is tried')
    },
    monotonic: () => 0,
  })

const write = (model: BrowserModel | Error, time: ReturnType<typeof createTime>, api: TabApi) =>
  writeReply('run-1', {
    api,
    wait: time.wait,
    monotonic: time.monotonic,
    label: { label: 'M', providerLabel: 'Test' },
    exact: noConstrained(),
    modelId: 'browser/test:m',
    open: () => (model instanceof Error ? Promise.reject(model) : Promise.resolve(model)),
  })

describe('a tab that writes', () => {
  it('takes all of a reply to the server, and its end', async () => {
    const time = createTime()
    const { api, state } = createServer(time.monotonic)
    const { done } = write(modelOf(['Hel', { pauseMs: 1_000 }, 'lo'], time), time, api)
    expect(await time.run(done)).toBe(true)
    expect(state.text).toBe('Hello')
    expect(state.end).toMatchObject({ outcome: 'finished', usage: { inputTokens: 5, outputTokens: 2 } })
  })

  it('survives a model that is silent for minutes', async () => {
    const time = createTime()
    const { api, state } = createServer(time.monotonic)
    const { done } = write(modelOf([{ pauseMs: 300_000 }, 'late'], time), time, api)
    expect(await time.run(done, 400_000)).toBe(true)
    expect(state.text).toBe('late')
    expect(state.maxSilence).toBeLessThanOrEqual(tabWriterTimes.heartbeatMs + tabWriterTimes.sendMs)
  })

  it.each(['here', 'elsewhere'])('stops the model when Stop is pressed %s, and keeps what it wrote', async (where) => {
    const time = createTime()
    const { api, state } = createServer(time.monotonic)
    const reply = write(modelOf(['so far', { pauseMs: 3_000 }], time, 'hangs'), time, api)
    await time.run(new Promise(() => {}), 2_000)
    if (where === 'here') reply.stop()
    else state.stop = true
    expect(await time.run(reply.done)).toBe(true)
    expect(state.end).toMatchObject({ outcome: 'stopped', failure: null })
    expect(state.text).toBe('so far')
  })

  it('does not wait for the model when Stop is pressed here a second time', async () => {
    const time = createTime()
    const { api } = createServer(time.monotonic, (what) => (what === 'end' ? 'lost' : 'ok'))
    let hastened = 0
    const model = { ...modelOf(['so far', { pauseMs: 3_000 }], time, 'hangs'), hasten: () => void (hastened += 1) }
    const reply = write(model, time, api)
    await time.run(new Promise(() => {}), 2_000)
    reply.stop()
    await time.run(new Promise(() => {}), 1_000)
    expect(hastened).toBe(0)
    reply.stop()
    expect(hastened).toBe(1)
    await time.run(reply.done)
  })

  it('reports the model’s progress before its first token', async () => {
    const time = createTime()
    const { api } = createServer(time.monotonic)
    const told: unknown[] = []
    const raw = (rawValue: unknown): LanguageModelV4StreamPart => ({ type: 'raw', rawValue })
    const model = modelOf([], time)
    const parts = [
      { loading: { done: 5, total: 10 } },
      { prefill: { read: 30, total: 20 } },
      { prefill: { read: 'x', total: 1 } },
      7,
    ]
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(out) {
        for (const part of [...parts.map(raw), finish()]) out.enqueue(part)
        out.close()
      },
    })
    const languageModel = () => ({ ...model.languageModel(), doStream: () => Promise.resolve({ stream }) })
    const { done } = writeReply('run-1', {
      api,
      wait: time.wait,
      monotonic: time.monotonic,
      label: { label: 'M', providerLabel: 'Test' },
      exact: noConstrained(),
      modelId: 'browser/test:m',
      open: () => Promise.resolve({ ...model, languageModel }),
      onProgress: (progress) => told.push(progress),
    })
    expect(await time.run(done)).toBe(true)
    expect(told).toEqual([
      { doing: 'loading', done: 5, total: 10 },
      { doing: 'reading', done: 20, total: 20 },
    ])
  })

  it('says why, if the model does not open, breaks off or ends without text', async () => {
    const broken: LanguageModelV4StreamPart = { type: 'error', error: new Error('no') }
    for (const [make, text, code] of [
      [() => new Error('no such file'), '', 'unknown'],
      [(time: ReturnType<typeof createTime>) => modelOf(['half'], time, broken), 'half', 'unknown'],
      [(time: ReturnType<typeof createTime>) => modelOf([], time, finish('error')), '', 'bad-response'],
    ] as const) {
      const time = createTime()
      const { api, state } = createServer(time.monotonic)
      expect(await time.run(write(make(time), time, api).done)).toBe(true)
      expect(state.end).toMatchObject({ outcome: 'failed', failure: { code, message: expect.stringContaining('M') } })
      expect(state.text).toBe(text)
    }
  })

  it('stops the model when the reply was ended, and sends nothing more', async () => {
    const time = createTime()
    const { api, state } = createServer(time.monotonic)
    const { done } = write(modelOf(['a', { pauseMs: 100_000 }], time), time, api)
    await time.run(new Promise(() => {}), 1_000)
    state.live = false
    expect(await time.run(done, 5_000)).toBe(true)
    const { asked } = state
    await time.run(new Promise(() => {}), 10_000)
    expect(state.asked).toBe(asked)
  })

  it('continues when the network is back in time, and gives up otherwise', async () => {
    for (const awayMs of [4_000, 30_000]) {
      const time = createTime()
      let away = false
      const { api, state } = createServer(time.monotonic, () => (away ? 'lost' : 'ok'))
      const steps = Array.from({ length: 60 }, (_, at) => [String(at % 10), { pauseMs: 200 }]).flat()
      const { done } = write(modelOf(steps, time), time, api)
      await time.run(new Promise(() => {}), 3_000)
      away = true
      await time.run(new Promise(() => {}), awayMs)
      away = false
      expect(await time.run(done)).toBe(true)
      expect(await done).toBe(awayMs < DEAD_MS)
      if (awayMs < DEAD_MS) expect([state.text.length, state.end?.outcome]).toEqual([60, 'finished'])
      else expect([state.text.length < 60, state.end]).toEqual([true, null])
    }
  })

  it('sends a prefix of the reply once, over any network; all of it if it may end', async () => {
    const seen = { finished: 0, dead: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
            fc.record({ pauseMs: fc.integer({ min: 1, max: 3_000 }) }),
          ),
          { maxLength: 20 },
        ),
        fc.infiniteStream(fc.constantFrom('ok', 'ok', 'ok', 'lost', 'answer-lost')),
        async (steps, network) => {
          const time = createTime()
          const { api, state } = createServer(time.monotonic, () => network.next().value)
          const { done } = write(modelOf(steps, time), time, api)
          expect(await time.run(done, 300_000)).toBe(true)
          const whole = steps.filter((step) => typeof step === 'string').join('')
          expect(whole.startsWith(state.text)).toBe(true)
          if (await done) expect(state.text).toBe(whole)
          if (state.end) expect([state.end.outcome, state.text]).toEqual(['finished', whole])
          seen[state.end ? 'finished' : 'dead'] += 1
        },
      ),
      { numRuns: 60 },
    )
    expect(seen.finished).toBeGreaterThan(0)
  })
})
