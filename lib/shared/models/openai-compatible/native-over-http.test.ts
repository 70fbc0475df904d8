import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFailure } from '../failure'
import { createOpenAICompatibleProvider } from './index'
import { startModelServer, type ModelServer } from '@/e2e/support/model-server'
import { runModel } from '@/lib/server/runs/chat-service-run'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { buildModelInput, type ModelInput } from '@/lib/shared/prompt/model-messages'
import type { CallSegment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { testTools } from '@/lib/protocols/testing/tools'
import type { ModelProvider } from '../model'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'

let server: ModelServer
let provider: ModelProvider

beforeAll(async () => {
  server = await startModelServer()
  provider = createOpenAICompatibleProvider(
    { kind: 'openai-compatible', id: 'replay', label: 'Replay', baseUrl: server.url, apiKey: null, models: null },
    { fetch: globalThis.fetch, monotonic: () => 0 },
  )
})
afterAll(() => server.close())

const settings = {
  version: 4,
  model: 'replay/replay',
  strategy: 'Native',
  systemPrompt: 'Be brief.',
  tools: defaultToolConfig,
} as const

const base = { conversationId: 'c', parentId: null, createdAt: 0 }
const user = (text: string): Message => ({ ...base, id: `u-${text}`, role: 'user', text, results: [] })
const inputOf = (path: readonly Message[]): ModelInput =>
  buildModelInput({
    conversation: { settings },
    path,
    builder: toolContextBuilder,
    readings: createReplyReadings(toolContextBuilder),
    tools: testTools,
  })

/** One reply, from the HTTP request to what is stored. */
async function reply(input: ModelInput) {
  const said = { text: '', reasoning: '' }
  const end = await runModel({
    input,
    native: true,
    model: () => provider.languageModel('replay'),
    write: (channel, text) => void (said[channel] += text),
    abort: new AbortController(),
    clock: { now: () => 0, monotonic: () => 0, after: () => () => {} },
    stallMs: 60_000,
    describeFailure: (error, wrote) => describeFailure(error, { label: 'replay', providerLabel: 'Replay' }, wrote),
    modelLabel: 'replay',
  })
  const { segments } = toolContextBuilder.parseResponse('Native', said.text, testTools)
  const calls = segments.filter((segment): segment is CallSegment => segment.kind === 'call')
  const words = segments
    .filter(({ kind }) => kind === 'text')
    .map(({ start, end: to }) => said.text.slice(start, to))
    .join('')
  return { ...said, ...end, segments, words, calls: calls.map(({ id, name, arguments: args }) => ({ id, name, args })) }
}

describe('native calls over HTTP', () => {
  it('arrive from split arguments, after text, and their results return under their ids', async () => {
    const first = await reply(inputOf([user('fixture:native-write')]))
    expect(first).toMatchObject({ outcome: 'finished', words: 'I put it into a file — 好。', failure: null })
    const args = { path: '/notes/native.md', content: 'A tag ends with </tool_code> "so" 日本語 👩‍🚀\n' }
    expect(first.calls.map((call) => ({ ...call, args: { ...call.args } }))).toEqual([
      { id: 'call_Xy12', name: 'write_file', args },
    ])
    const request = server.requests.at(-1)
    expect(request?.tools).toHaveLength(testTools.filter((tool) => !tool.disabled).length)
    expect(request?.tools?.find((tool) => JSON.stringify(tool).includes('"read_file"'))).toEqual({
      type: 'function',
      function: {
        name: 'read_file',
        description: 'Reads a file.',
        parameters: testTools.find(({ name }) => name === 'read_file')?.parameters,
      },
    })
    expect(request?.messages[0]?.content).not.toContain('read_file')

    const stored: AssistantMessage = {
      ...base,
      id: 'a1',
      role: 'assistant',
      text: first.text,
      reasoning: '',
      strategy: 'Native',
      toolsEnabled: true,
      model: settings.model,
      outcome: 'finished',
      failure: null,
      usage: null,
      runId: 'r',
    }
    const result = { messageId: 'a1', slot: 0, callId: 'call_Xy12', name: 'write_file', durationMs: 1 } as const
    const answer: Message = {
      ...base,
      id: 'u2',
      role: 'user',
      text: 'and then?',
      results: [{ ...result, status: 'completed', result: { text: '</tool_call> done' } }],
    }
    const path = [user('fixture:native-write'), stored, answer]
    const { nativeTools, ...next } = inputOf(path)
    await reply({ ...next, ...(nativeTools ? { nativeTools } : {}) })
    const [system, ...messages] = server.requests.at(-1)?.messages ?? []
    expect(system?.role).toBe('system')
    expect(messages).toEqual([
      { role: 'user', content: 'fixture:native-write' },
      {
        role: 'assistant',
        content: 'I put it into a file — 好。',
        tool_calls: [
          { id: 'call_Xy12', type: 'function', function: { name: 'write_file', arguments: JSON.stringify(args) } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_Xy12',
        content: '{"status":"completed","result":{"text":"\\u003c/tool_call> done"}}',
      },
      { role: 'user', content: 'and then?' },
    ])
    const toolsOnly = await reply(inputOf([user('fixture:native-write'), stored, { ...answer, text: '' }]))
    expect(toolsOnly.text).toBe('Done: the file `/notes/native.md` is written.')
  })

  it('stay separate when interleaved, after reasoning, and with one lacking an id', async () => {
    const { calls, reasoning, outcome } = await reply(inputOf([user('fixture:native-two')]))
    expect([outcome, reasoning]).toEqual(['finished', 'Two things.'])
    expect(calls.map(({ name, args }) => [name, { ...args }])).toEqual([
      ['list_directory', { path: '/' }],
      ['read_file', { path: '/a.md' }],
    ])
    expect(calls[0]?.id).toBe('call_a')
    expect(calls[1]?.id).toMatch(/^\w+$/)
  })

  it('never run if the length limit cut them', async () => {
    const { segments, calls, outcome } = await reply(inputOf([user('fixture:native-cut-length')]))
    expect(outcome).toBe('length')
    expect(calls).toEqual([])
    expect(segments.at(-1)).toMatchObject({ kind: 'broken', reason: 'truncated', name: 'write_file' })
  })

  it('become a sentence with the way out if a model does not support tools', async () => {
    const { failure, text } = await reply(inputOf([user('fixture:native-refused')]))
    expect(text).toBe('')
    expect(failure?.message).toContain('does not support native tool calls')
    expect(failure?.message).toContain('Choose another call format')
  })
})
