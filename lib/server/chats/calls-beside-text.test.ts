import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { requestReply } from '@/lib/client/chats/tab-writer/request-reply'
import { promotedSlot } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { runModel } from '../runs/chat-service-run'
import { buildModelInput } from '@/lib/shared/prompt/model-messages'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { createManualClock } from './testing/manual-clock'

/* A provider sends native calls although the chat uses calls in the text. */

const usage = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
}
const text = (delta: string): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
]
const streamed = (id: string, path: string): LanguageModelV4StreamPart[] => [
  { type: 'tool-input-start', id, toolName: 'read_file' },
  { type: 'tool-input-delta', id, delta: '{"path":' },
  { type: 'tool-input-delta', id, delta: `"${path}"}` },
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName: 'read_file', input: `{"path":"${path}"}` },
]
const whole = (id: string, path: string): LanguageModelV4StreamPart[] => [
  { type: 'tool-call', toolCallId: id, toolName: 'read_file', input: `{"path":"${path}"}` },
]

function modelOf(parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4 {
  const all: readonly LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage },
  ]
  return new MockLanguageModelV4({
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of all) controller.enqueue(part)
            controller.close()
          },
        }),
      }),
  })
}

const signal = new AbortController().signal

/** The text of the reply as stored by the server, and as stored by a tab for a browser model. */
const writers: readonly (readonly [who: string, write: (model: LanguageModelV4) => Promise<string>])[] = [
  [
    'on the server',
    async (model) => {
      let said = ''
      const { outcome } = await runModel({
        model: () => model,
        input: { instructions: '', messages: [{ role: 'user', content: 'hi' }] },
        write: (_, piece) => (said += piece),
        abort: new AbortController(),
        clock: createManualClock(),
        stallMs: 1000,
        describeFailure: () => ({ code: 'unknown', message: '', detail: '' }),
        modelLabel: 'm',
      })
      expect(outcome).toBe('finished')
      return said
    },
  ],
  [
    'in the tab',
    async (model) => {
      let said = ''
      const info = { id: 'browser/m', label: 'm', providerLabel: 'p', contextTokens: null, simulated: false }
      const { outcome } = await requestReply(
        { info, languageModel: () => model } as Parameters<typeof requestReply>[0],
        { prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }], nativeTools: [] },
        { runId: 'r', write: (_, piece) => (said += piece), signal },
      )
      expect(outcome).toBe('finished')
      return said
    },
  ],
]

const inText = toolContextBuilder.strategies.flatMap(({ id, callsBy }) => (callsBy === 'model' ? id : []))

const readingOf = (strategy: StrategyId, said: string) =>
  toolContextBuilder
    .parseResponse(strategy, said, testTools)
    .segments.map((one) =>
      one.kind === 'call'
        ? [one.standing, one.dialect, one.name, one.arguments['path']]
        : one.kind === 'broken'
          ? [one.kind, one.dialect, one.reason]
          : said.slice(one.start, one.end),
    )
const card = (path: string) => ['foreign', 'Native', 'read_file', path]

describe.each(writers)('native calls beside text calls, written %s', (_, write) => {
  it.each(inText)('are foreign calls under %s, whatever text surrounds them', async (id) => {
    const cases: readonly (readonly [LanguageModelV4StreamPart[], readonly unknown[]])[] = [
      [streamed('a', '/a'), [card('/a')]],
      [
        [...whole('a', '/a'), ...whole('a', '/b')],
        [card('/a'), card('/b')],
      ],
      [
        [...text('Let me look.\n'), ...streamed('a', '/a')],
        ['Let me look.\n', card('/a')],
      ],
      [
        [...streamed('a', '/a'), ...text('Done.')],
        [card('/a'), 'Done.'],
      ],
      // Text before a frame can't include the frame.
      [
        [...text('```python\nx = 1\n'), ...whole('a', '/a')],
        ['```python\nx = 1\n', card('/a')],
      ],
      [
        [...text('<think>\nhm\n'), ...whole('a', '/a')],
        ['<think>\nhm\n', card('/a')],
      ],
      [streamed('a', '/a').slice(0, 2), [['broken', 'Native', 'truncated']]],
    ]
    for (const [parts, expected] of cases) expect(readingOf(id, await write(modelOf(parts)))).toEqual(expected)
  })

  it.each(inText)("under %s, a frame in the model's own text is plain text", async (id) => {
    const forged = await write(modelOf(whole('a', '/evil')))
    const said = await write(modelOf(text(`It says:\n${forged}`)))
    expect(said).toHaveLength(`It says:\n${forged}`.length)
    expect(readingOf(id, said)).toEqual([said])
  })

  it('leave the chat’s own calls beside them unchanged', async () => {
    const own = '<tool_code>{"name":"read_file","arguments":{"path":"/own"}}</tool_code>'
    const said = await write(modelOf([...text(`${own}\n`), ...whole('a', '/a'), ...text(own)]))
    expect(readingOf('XML_Tag', said)).toEqual([
      ['live', 'XML_Tag', 'read_file', '/own'],
      '\n',
      card('/a'),
      ['live', 'XML_Tag', 'read_file', '/own'],
    ])
  })
})

describe('foreign calls in the next request', () => {
  async function told(amendments: (said: string) => readonly CallAmendment[], strategy: StrategyId) {
    const [[, write] = []] = writers
    const said = (await write?.(modelOf([...text('Let me look.\n'), ...whole('a', '/a')]))) ?? ''
    const promoted = amendments(said)
    const base = { conversationId: 'c', createdAt: 0 }
    const reply: AssistantMessage = {
      ...base,
      id: 'a1',
      parentId: 'u1',
      role: 'assistant',
      text: said,
      reasoning: '',
      strategy: 'XML_Tag',
      toolsEnabled: true,
      model: 'demo/demo',
      outcome: 'finished',
      failure: null,
      usage: null,
      runId: 'r',
    }
    const results = promoted.map(({ slot }) => ({
      messageId: 'a1',
      slot,
      callId: 'x',
      name: 'read_file',
      status: 'completed' as const,
      result: 'what the file holds',
      durationMs: 1,
    }))
    const path: Message[] = [
      { ...base, id: 'u1', parentId: null, role: 'user', text: 'go', results: [] },
      reply,
      { ...base, id: 'u2', parentId: 'a1', role: 'user', text: 'and?', results },
    ]
    return buildModelInput({
      conversation: { settings: { ...defaultSettings('demo/demo'), strategy } },
      path,
      builder: toolContextBuilder,
      readings: createReplyReadings(toolContextBuilder),
      tools: testTools,
      amendments: promoted,
    }).messages
  }

  it.each(inText)('a call that was used is sent in the form of %s, with its result', async (id) => {
    const [, reply, results] = await told(
      (said) => [{ messageId: 'a1', slot: promotedSlot(said.indexOf('\u001e')), call: null, amendedAt: 1 }],
      id,
    )
    const said = typeof reply?.content === 'string' ? reply.content : ''
    expect(readingOf(id, said).at(-1)).toEqual(['live', id, 'read_file', '/a'])
    expect(JSON.stringify(results)).toContain('what the file holds')
    expect(JSON.stringify([reply, results])).not.toMatch(/beside_call|\\u001e/)
  })

  it.each(toolContextBuilder.strategies.map(({ id }) => id))(
    'a call that was not used is sent as text, under %s',
    async (id) => {
      const [, reply] = await told(() => [], id)
      expect(reply?.content).toBe(
        'Let me look.\n\n(a call to read_file stood here in a form that is not used in this chat; it did not run.)',
      )
    },
  )
})
