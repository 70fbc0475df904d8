import { describe, expect, it } from 'vitest'
import { decodeModelConfig } from '@/lib/server/models/config'
import { createModelProviders } from '@/lib/server/models/create-model-providers'
import { createModelRegistry } from '@/lib/server/models/registry'
import { withNativeTools } from './native-model'
import { splitFrame } from '@/lib/protocols/framed-calls/frame'
import { testTools } from '@/lib/protocols/testing/tools'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'

const sse = (events: readonly object[], named = false): string =>
  events
    .map((event) => {
      const type = 'type' in event && typeof event.type === 'string' ? event.type : ''
      return `${named ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`
    })
    .join('')

const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }
const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'read_file' }
const delta = (text: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'fc_1',
  output_index: 0,
  delta: text,
})
const usage = { input_tokens: 1, output_tokens: 1 }

/** What each vendor's API sends for one call to read_file, in the vendor's own events. */
const vendors: readonly (readonly [model: string, body: string, id: RegExp])[] = [
  [
    'openai/gpt-5.6',
    sse([
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt-5.6' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      delta('{"path"'),
      delta(':"/a"}'),
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { ...item, arguments: '{"path":"/a"}', status: 'completed' },
      },
      { type: 'response.completed', response: { usage } },
    ]),
    /^call_1$/,
  ],
  [
    'anthropic/claude-sonnet-5-5',
    sse(
      [
        {
          type: 'message_start',
          message: { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], usage },
        },
        { type: 'content_block_start', index: 0, content_block: toolUse },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path"' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ':"/a"}' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
        { type: 'message_stop' },
      ],
      true,
    ),
    /^toolu_1$/,
  ],
  [
    'google/gemini-4-argon',
    sse([
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [{ functionCall: { name: 'read_file', args: { path: '/a' } }, thoughtSignature: 'c2ln' }],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      },
    ]),
    /^\w+/,
  ],
]

describe.each(vendors)('%s', (model, body, id) => {
  it('turns its call into a frame, and sends call and result back', async () => {
    const sent: string[] = []
    const replay: typeof fetch = (_url, init) => {
      sent.push(typeof init?.body === 'string' ? init.body : '')
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    }
    const env = { NOD_OLLAMA: 'off', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }
    const { providers, defaultModel, problems } = decodeModelConfig(null, env)
    const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
    const registry = createModelRegistry({
      monotonic: () => 0,
      providers: createModelProviders(providers, { fetch: replay, monotonic: () => 0, demo }),
      defaultModel,
      problems,
    })
    const native = withNativeTools(registry.languageModel(model), testTools.slice(0, 3))
    const ask = async (prompt: LanguageModelV4Prompt) => {
      let text = ''
      const { stream } = await native.doStream({ prompt })
      for await (const part of stream) {
        if (part.type === 'error') throw part.error
        if (part.type === 'text-delta') text += part.delta
      }
      return text
    }
    const question: LanguageModelV4Prompt[number] = { role: 'user', content: [{ type: 'text', text: 'Read /a.' }] }
    const frame = splitFrame(await ask([question]))
    expect(frame).toMatchObject({ name: 'read_file', argumentsText: '{"path":"/a"}', closed: true })
    expect(frame?.id).toMatch(id)
    expect(sent[0]).toContain('"read_file"')
    expect(sent[0]).toContain('Reads a file.')

    const toolCallId = frame?.id ?? ''
    const options = frame?.metadata
      ? { providerOptions: structuredClone(frame.metadata) as Record<string, { [key: string]: string }> }
      : {}
    const call = { type: 'tool-call', toolCallId, toolName: 'read_file', input: { path: '/a' }, ...options } as const
    const output = { type: 'text', value: '{"status":"completed","result":"one"}' } as const
    await ask([
      question,
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'read_file', output }] },
    ])
    expect(sent[1]).toContain('{\\"status\\":\\"completed\\",\\"result\\":\\"one\\"}')
    if (!model.startsWith('google')) expect(sent[1]?.split(toolCallId).length).toBeGreaterThanOrEqual(3)
    // Gemini refuses a history whose calls lost their signature.
    else expect(sent[1]).toContain('"thoughtSignature":"c2ln"')
  })
})
