import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { buildModelInput } from './model-messages'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { createReplyReadings } from './reply-readings'

const base = { conversationId: 'c', parentId: null, createdAt: 0 }
const user = (id: string, text: string, results: readonly ToolResult[] = []): UserMessage => ({
  ...base,
  id,
  role: 'user',
  text,
  results,
})
const assistant = (id: string, text: string, extra: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...base,
  id,
  role: 'assistant',
  text,
  reasoning: '',
  strategy: 'Native',
  toolsEnabled: true,
  model: 'google/gemini',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r',
  ...extra,
})
const result = (messageId: string, slot: number, extra: Partial<ToolResult> = {}): ToolResult => ({
  messageId,
  slot,
  callId: 'x',
  name: 'read_file',
  status: 'completed',
  result: 'ok',
  durationMs: 1,
  ...extra,
})

function build(
  path: readonly Message[],
  {
    strategy = 'Native',
    model = 'google/gemini',
    enabled = true,
    tools = testTools,
  }: {
    strategy?: StrategyId
    model?: string
    enabled?: boolean
    tools?: typeof testTools
  } = {},
) {
  const config = { ...defaultToolConfig, enabled }
  const settings = { version: 4, model, strategy, systemPrompt: '', tools: config } as const
  return buildModelInput({
    conversation: { settings },
    path,
    builder: toolContextBuilder,
    readings: createReplyReadings(toolContextBuilder),
    tools,
    boundary: () => 'b0b0b0b0',
  })
}

const signed =
  '\u001etool_call {"id":"g1","name":"read_file"}\n{"path":"/a"}\u001e{"google":{"thoughtSignature":"s"}}\n'
const asked = user('u1', 'go')

describe('a native history', () => {
  it('returns a call as it came, with what the provider wants back', () => {
    const { messages } = build([asked, assistant('a1', `I look.${signed}`), user('u2', '', [result('a1', 0)])])
    expect(messages).toEqual([
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          {
            type: 'tool-call',
            toolCallId: 'g1',
            toolName: 'read_file',
            input: { path: '/a' },
            providerOptions: { google: { thoughtSignature: 's' } },
          },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'g1',
            toolName: 'read_file',
            output: { type: 'text', value: '{"status":"completed","result":"ok"}' },
          },
        ],
      },
    ])
  })

  it('gives another model neither the id nor the signature', () => {
    const text = JSON.stringify(
      build([asked, assistant('a1', signed), user('u2', 'on')], { model: 'm/mistral' }).messages,
    )
    expect(text).not.toMatch(/g1|thoughtSignature/)
    expect(text).toMatch(/"toolCallId":"[a-z0-9]{9}"/)
  })

  it('keeps one of two equal ids', () => {
    const path = [asked, assistant('a1', signed), user('u2', 'again'), assistant('a2', signed), user('u3', 'on')]
    const ids = [...JSON.stringify(build(path).messages).matchAll(/"type":"tool-call","toolCallId":"(\w+)"/g)].map(
      ([, id]) => id,
    )
    expect(ids).toEqual(['g1', expect.stringMatching(/^[a-z0-9]{9}$/)])
  })

  it('includes calls of other strategies, text first, user text after the results', () => {
    const written = '<tool_code>{"name":"read_file","arguments":{"path":"/b"}}</tool_code>'
    const path = [
      asked,
      assistant('a1', `First.\n${written}\nThen.`, { strategy: 'XML_Tag' }),
      user('u2', 'and now?', [result('a1', 0, { status: 'error', result: 'no such file' })]),
    ]
    expect(build(path).messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool-call', input: { path: '/b' } }] },
      {
        role: 'tool',
        content: [{ output: { type: 'error-text', value: '{"status":"error","result":"no such file"}' } }],
      },
      { role: 'user', content: 'and now?' },
    ])
  })

  it('adds a result for a call without one', () => {
    const { messages } = build([asked, assistant('a1', signed), user('u2', 'never mind')])
    expect(JSON.stringify(messages[2])).toContain('skipped')
    expect(messages[3]).toEqual({ role: 'user', content: 'never mind' })
  })

  it('describes a broken call in text with what was written', () => {
    const text = '\u001etool_call {"id":"c","name":"write_file"}\n{"path":"/a","content":"ha'
    expect(build([asked, assistant('a1', text), user('u2', 'fix it')]).messages[1]).toEqual({
      role: 'assistant',
      content:
        '(a call to write_file stood here; it was cut off and could not be read; its arguments were: {"path":"/a","content":"ha.)',
    })
  })

  it('becomes text again if no schemas are sent', () => {
    const path = [asked, assistant('a1', `I look.${signed}`), user('u2', '', [result('a1', 0)])]
    for (const without of [build(path, { enabled: false }), build(path, { tools: [] })]) {
      expect(without.nativeTools).toBeUndefined()
      expect(without.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
      expect(JSON.stringify(without.messages)).not.toMatch(/tool-call|\\u001e/)
      expect(without.messages[2]?.content).toContain('{"tool_result":{"toolCallId":"x"')
    }
  })

  it('becomes the text of another strategy', () => {
    const { messages } = build([asked, assistant('a1', `I look.${signed}`), user('u2', '', [result('a1', 0)])], {
      strategy: 'XML_Tag',
    })
    expect(messages[1]?.content).toBe(
      'I look.\n\n<tool_code>\n{"name":"read_file","arguments":{"path":"/a"}}\n</tool_code>',
    )
    expect(messages[2]?.content).toContain('<tool_result id="x"')
  })
})
