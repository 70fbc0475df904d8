import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { maxReplyChars } from '@/lib/shared/conversation/wire/tab-run'
import { describeFailure } from '@/lib/shared/models/failure'
import { runModel } from './chat-service-run'
import { createManualClock } from '../chats/testing/manual-clock'

type Part = LanguageModelV4StreamPart

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const finish: Part = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
const words = (delta: string): Part => ({ type: 'text-delta', id: 't', delta })

/** A model that sends these parts one after another; `before` is awaited before each. */
const modelOf = (parts: Iterable<Part>, before: () => Promise<void> = () => Promise.resolve()): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'm',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('streamed')),
  doStream() {
    const list = parts[Symbol.iterator]()
    const stream = new ReadableStream<Part>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve))
        await before()
        const { done, value } = list.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
    })
    return Promise.resolve({ stream })
  },
})

async function run(model: LanguageModelV4, clock = createManualClock(), stallMs = 60_000, native = false) {
  const said = { text: '', reasoning: '' }
  const end = await runModel({
    input: { instructions: '', messages: [{ role: 'user', content: 'hi' }] },
    native,
    model: () => model,
    write: (channel, text) => void (said[channel] += text),
    abort: new AbortController(),
    clock,
    stallMs,
    describeFailure: (error, wrote) => describeFailure(error, { label: 'M', providerLabel: 'Server' }, wrote),
    modelLabel: 'M',
  })
  return { ...said, ...end }
}

it('reports what the model’s server sends before its first token', async () => {
  const life: Part = { type: 'raw', rawValue: '' }
  const said: string[] = []
  await runModel({
    input: { instructions: '', messages: [{ role: 'user', content: 'hi' }] },
    model: () => modelOf([life, life, { type: 'text-start', id: 't' }, words('a'), finish]),
    write: () => said.push('words'),
    onAlive: () => said.push('alive'),
    abort: new AbortController(),
    clock: createManualClock(),
    stallMs: 60_000,
    describeFailure: (error, wrote) => describeFailure(error, { label: 'M', providerLabel: 'Server' }, wrote),
    modelLabel: 'M',
  })
  expect(said.indexOf('alive')).toBe(0)
  expect(said.indexOf('words')).toBeGreaterThan(1)
})

describe('the size of a reply', () => {
  function* endless(piece: string): Generator<Part> {
    yield { type: 'text-start', id: 't' }
    for (;;) yield words(piece)
  }

  it.each([false, true])('is limited, and then the model is stopped (native: %s)', async (native) => {
    const { text, outcome, failure } = await run(modelOf(endless('x'.repeat(300_000))), undefined, undefined, native)
    expect([text.length, outcome, failure]).toEqual([maxReplyChars, 'length', null])
  })

  it('includes reasoning, and never ends within a surrogate pair', async () => {
    const parts: readonly Part[] = [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'x'.repeat(maxReplyChars - 3) },
      { type: 'reasoning-end', id: 'r' },
      { type: 'text-start', id: 't' },
      words('😀😀😀'),
      finish,
    ]
    const { text, reasoning, outcome } = await run(modelOf(parts))
    expect([reasoning.length, text, outcome]).toEqual([maxReplyChars - 3, '😀', 'length'])
  })

  it('is not changed up to the limit', async () => {
    const whole = 'x'.repeat(maxReplyChars)
    const { text, outcome } = await run(modelOf([{ type: 'text-start', id: 't' }, words(whole), finish]))
    expect([text.length, outcome]).toEqual([maxReplyChars, 'finished'])
  })
})

describe('a server that shows signs of life', () => {
  const alive: Part = { type: 'raw', rawValue: { alive: true } }

  it.each([false, true])('may be silent beyond the stall time (native: %s)', async (native) => {
    const clock = createManualClock()
    const parts = [
      ...Array.from({ length: 5 }, () => alive),
      { type: 'text-start', id: 't' } as const,
      words('late'),
      finish,
    ]
    const { text, outcome } = await run(
      modelOf(parts, () => clock.pass(50_000)),
      clock,
      60_000,
      native,
    )
    expect([text, outcome]).toEqual(['late', 'finished'])
  })

  it('is given up without a token after ten times the stall time, with a message that says so', async () => {
    const clock = createManualClock()
    function* pings(): Generator<Part> {
      for (;;) yield alive
    }
    const end = await run(
      modelOf(pings(), () => clock.pass(50_000)),
      clock,
    )
    expect(end).toMatchObject({ outcome: 'failed', failure: { code: 'stalled' } })
    expect(end.failure?.message).toContain('kept the connection open but wrote nothing')
  })
})
