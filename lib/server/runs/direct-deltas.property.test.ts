import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { streamText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeFailure } from '@/lib/shared/models/failure'
import { runModel, withDirectDeltas } from './chat-service-run'
import { createManualClock } from '../chats/testing/manual-clock'

/* The same provider parts, read with direct text and read by the SDK alone. */

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}

const word = fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom('\ud83d', '\ude00', '\0', '\n', ''))
const error = fc.constantFrom<unknown>(
  'overloaded',
  { message: 'Overloaded' },
  { error: { message: 'too many', code: 429 } },
  { message: 'no', type: 'server_error' },
  new Error('socket hang up'),
  null,
)
const unified = fc.constantFrom(
  'stop' as const,
  'length' as const,
  'content-filter' as const,
  'tool-calls' as const,
  'error' as const,
  'other' as const,
)
const block = fc.record({
  kind: fc.constantFrom('text' as const, 'reasoning' as const),
  words: fc.array(word, { maxLength: 4 }),
})
const body = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: block },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('error' as const), error }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('metadata' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('breaks' as const), error }) },
  ),
  { maxLength: 6 },
)
const ends = fc.option(fc.record({ unified, raw: fc.option(fc.constantFrom('stop', 'eos'), { nil: undefined }) }), {
  nil: null,
})

type Body = typeof body extends fc.Arbitrary<infer T> ? T : never
type End = typeof ends extends fc.Arbitrary<infer T> ? T : never

function modelOf(steps: Body, end: End): LanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: () => {
      const parts: (LanguageModelV4StreamPart | { readonly breaks: unknown })[] = [
        { type: 'stream-start', warnings: [] },
      ]
      for (const [index, step] of steps.entries()) {
        const id = `b${index}`
        if (step.kind === 'error') parts.push({ type: 'error', error: step.error })
        else if (step.kind === 'metadata') parts.push({ type: 'response-metadata', id, modelId: 'm' })
        else if (step.kind === 'breaks') parts.push({ breaks: step.error })
        else {
          parts.push({ type: `${step.kind}-start`, id })
          for (const delta of step.words) parts.push({ type: `${step.kind}-delta`, id, delta })
          parts.push({ type: `${step.kind}-end`, id })
        }
      }
      if (end) parts.push({ type: 'finish', finishReason: { unified: end.unified, raw: end.raw }, usage })
      let at = 0
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        pull(controller) {
          const part = parts[at]
          at += 1
          if (part === undefined) controller.close()
          else if ('breaks' in part) controller.error(part.breaks)
          else controller.enqueue(part)
        },
      })
      return Promise.resolve({ stream })
    },
  })
}

/** What the SDK alone reports: the text by channel, and the end. */
async function bySdk(model: LanguageModelV4, canSeeWords: boolean) {
  const said = { text: '', reasoning: '' }
  let ending: object = { type: 'nothing' }
  const take = (channel: 'text' | 'reasoning', text: string) => {
    said[channel] += text
  }
  const { stream } = streamText({
    model: canSeeWords ? model : withDirectDeltas(model, take, () => {}, true),
    messages: [{ role: 'user', content: 'hi' }],
    maxRetries: 0,
    onError: () => {},
  })
  try {
    for await (const part of stream) {
      if (part.type === 'text-delta') {
        if (canSeeWords) said.text += part.text
      } else if (part.type === 'reasoning-delta') {
        if (canSeeWords) said.reasoning += part.text
      }
      if (part.type === 'error') {
        ending = { type: 'error', told: describeFailure(part.error, { label: 'm', providerLabel: 'p' }) }
        break
      } else if (part.type === 'finish') {
        ending = { type: 'finish', reason: part.finishReason, raw: part.rawFinishReason, usage: part.totalUsage }
        break
      }
    }
  } catch (thrown) {
    ending = { type: 'thrown', told: describeFailure(thrown, { label: 'm', providerLabel: 'p' }) }
  }
  return { said, ending }
}

it('gives the same text and end as the SDK alone, whatever a provider sends', async () => {
  const endings = new Set<string>()
  await fc.assert(
    fc.asyncProperty(body, ends, async (steps, end) => {
      const through = await bySdk(modelOf(steps, end), true)
      const beside = await bySdk(modelOf(steps, end), false)
      expect(beside).toEqual(through)
      const said = { text: '', reasoning: '' }
      await runModel({
        input: { instructions: '', messages: [{ role: 'user', content: 'hi' }] },
        model: () => modelOf(steps, end),
        write: (channel, text) => void (said[channel] += text),
        abort: new AbortController(),
        clock: createManualClock(),
        stallMs: 60_000,
        describeFailure: (failure) => describeFailure(failure, { label: 'm', providerLabel: 'p' }),
        modelLabel: 'm',
      })
      expect(said).toEqual(through.said)
      endings.add('type' in through.ending ? String(through.ending.type) : '')
    }),
    { numRuns: 150 },
  )
  expect([...endings].toSorted()).toEqual(expect.arrayContaining(['error', 'finish']))
})
