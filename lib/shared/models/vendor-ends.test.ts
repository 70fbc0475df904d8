import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from '@/lib/server/chats/testing/manual-clock'
import { runModel } from '@/lib/server/runs/chat-service-run'
import { decodeModelConfig } from '@/lib/server/models/config'
import { createModelProviders } from '@/lib/server/models/create-model-providers'
import { describeFailure } from './failure'
import { createModelRegistry } from '@/lib/server/models/registry'

/* How a reply ends in the vendors’ own packages: an unknown reason is not a good end. */

const sse = (events: readonly object[]): string =>
  events
    .map((event) => {
      const name = 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
      return `${name}data: ${JSON.stringify(event)}\n\n`
    })
    .join('')

/** A reply with the text “Words.” that ends with this reason; null: its body just ends. */
const bodies = {
  'openai/gpt-5.6': (reason: string | null) => {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const end =
      reason === 'completed'
        ? { type: 'response.completed', response: { usage } }
        : { type: 'response.incomplete', response: { usage, incomplete_details: { reason } } }
    return sse([
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt' } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_text.delta', ...place, delta: 'Words.' },
      ...(reason === null ? [] : [{ type: 'response.output_item.done', output_index: 0, item }, end]),
    ])
  },
  'anthropic/claude-sonnet-5-5': (reason: string | null) => {
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage }
    const delta = { stop_reason: reason, stop_sequence: null }
    return sse([
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Words.' } },
      ...(reason === null
        ? []
        : [
            { type: 'content_block_stop', index: 0 },
            { type: 'message_delta', delta, usage: { output_tokens: 1 } },
            { type: 'message_stop' },
          ]),
    ])
  },
  'google/gemini-4-argon': (reason: string | null) =>
    sse([
      {
        candidates: [
          { content: { role: 'model', parts: [{ text: 'Words.' }] }, ...(reason !== null && { finishReason: reason }) },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      },
    ]),
} as const

type Model = keyof typeof bodies

const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k', NOD_OLLAMA: 'off' }

const ask = (model: Model, reason: string | null) => askFor(model, bodies[model](reason), createManualClock())

async function askFor(model: Model, body: string | ReadableStream<Uint8Array>, clock: ManualClock) {
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  const registry = createModelRegistry({
    providers: createModelProviders(decodeModelConfig(null, env).providers, {
      fetch,
      monotonic: () => 0,
      demo: {
        strategies: [],
        formatCalls: () => '',
        delay: () => Promise.resolve(),
        stepMs: 0,
      },
    }),
    defaultModel: null,
    problems: [],
    otherWindowTokens: null,
    monotonic: () => 0,
  })
  let text = ''
  const end = await runModel({
    input: { instructions: '', messages: [{ role: 'user', content: 'hi' }] },
    model: () => registry.languageModel(model),
    write: (_, words) => void (text += words),
    abort: new AbortController(),
    clock,
    stallMs: 60_000,
    describeFailure: (error, wrote) => describeFailure(error, { label: 'M', providerLabel: 'V' }, wrote),
    modelLabel: 'M',
  })
  return { text, outcome: end.outcome, says: end.failure?.message ?? '' }
}

const cases: readonly (readonly [Model, string | null, string, string])[] = [
  ['openai/gpt-5.6', 'completed', 'finished', ''],
  ['openai/gpt-5.6', 'max_output_tokens', 'length', ''],
  ['openai/gpt-5.6', 'content_filter', 'failed', 'content filter'],
  ['openai/gpt-5.6', 'server_overloaded', 'failed', 'ended abnormally'],
  ['openai/gpt-5.6', null, 'failed', 'cut off'],
  ['anthropic/claude-sonnet-5-5', 'end_turn', 'finished', ''],
  ['anthropic/claude-sonnet-5-5', 'stop_sequence', 'finished', ''],
  ['anthropic/claude-sonnet-5-5', 'max_tokens', 'length', ''],
  ['anthropic/claude-sonnet-5-5', 'refusal', 'failed', 'declined'],
  ['anthropic/claude-sonnet-5-5', 'something_new', 'failed', 'ended abnormally'],
  ['anthropic/claude-sonnet-5-5', null, 'failed', 'cut off'],
  ['google/gemini-4-argon', 'STOP', 'finished', ''],
  ['google/gemini-4-argon', 'MAX_TOKENS', 'length', ''],
  ['google/gemini-4-argon', 'SAFETY', 'failed', 'content filter'],
  ['google/gemini-4-argon', 'OTHER', 'failed', 'ended abnormally'],
  ['google/gemini-4-argon', 'MALFORMED_FUNCTION_CALL', 'failed', 'ended abnormally'],
  ['google/gemini-4-argon', null, 'failed', 'cut off'],
]

describe('the end of a reply', () => {
  it.each(cases)('for %s with the reason %s is %s', async (model, reason, outcome, says) => {
    const end = await ask(model, reason)
    expect([end.text, end.outcome]).toEqual(['Words.', outcome])
    if (says === '') expect(end.says).toBe('')
    else expect(end.says).toContain(says)
  })
})

it('treats a vendor’s pings as signs of life and waits for its reply', async () => {
  const clock = createManualClock()
  const [start = '', ...rest] = bodies['anthropic/claude-sonnet-5-5']('end_turn').split(/(?<=\n\n)/)
  const events = [start, ...Array.from({ length: 5 }, () => sse([{ type: 'ping' }])), ...rest]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const event = events.shift()
        if (event === undefined) return out.close()
        await clock.pass(50_000)
        out.enqueue(new TextEncoder().encode(event))
      },
    },
    { highWaterMark: 0 },
  )
  const end = await askFor('anthropic/claude-sonnet-5-5', body, clock)
  expect([end.text, end.outcome]).toEqual(['Words.', 'finished'])
})
