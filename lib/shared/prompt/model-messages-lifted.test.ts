import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { testTools } from '@/lib/protocols/testing/tools'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { promotedSlot } from '@/lib/shared/calls/message-calls'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { buildModelInput } from './model-messages'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { createReplyReadings } from './reply-readings'

const base = { conversationId: 'c', createdAt: 0 }

function told(text: string, amendments: readonly CallAmendment[], now: StrategyId = 'XML_Tag') {
  const reply: AssistantMessage = {
    ...base,
    id: 'a1',
    parentId: 'u1',
    role: 'assistant',
    text,
    reasoning: '',
    strategy: 'XML_Tag',
    toolsEnabled: true,
    model: 'demo/demo',
    outcome: 'finished',
    failure: null,
    usage: null,
    runId: 'r',
  }
  const results = amendments.map(({ slot, call }) => ({
    messageId: 'a1',
    slot,
    callId: 'x',
    name: call?.name ?? 'read_file',
    status: 'completed' as const,
    result: 'ok',
    durationMs: 1,
  }))
  const path: Message[] = [
    { ...base, id: 'u1', parentId: null, role: 'user', text: 'go', results: [] },
    reply,
    { ...base, id: 'u2', parentId: 'a1', role: 'user', text: '', results },
  ]
  const settings = { ...defaultSettings('demo/demo'), strategy: now }
  return buildModelInput({
    conversation: { settings },
    path,
    builder: toolContextBuilder,
    readings: createReplyReadings(toolContextBuilder),
    tools: testTools,
    amendments,
  })
}

const lift = (start: number, call: CallAmendment['call'] = null): CallAmendment => ({
  messageId: 'a1',
  slot: promotedSlot(start),
  call,
  amendedAt: 1,
})
const liveCalls = (content: unknown, strategy: StrategyId) =>
  toolContextBuilder
    .parseResponse(strategy, String(content), testTools)
    .segments.flatMap((segment) =>
      segment.kind === 'call' && segment.standing === 'live' ? [[segment.name, { ...segment.arguments }]] : [],
    )

const startOf = (text: string, kind: 'call' | 'broken') =>
  toolContextBuilder.parseResponse('XML_Tag', text, testTools).segments.find((segment) => segment.kind === kind)
    ?.start ?? -1

const call = '<tool_code>{"name":"read_file","arguments":{"path":"/a"}}</tool_code>'

describe('shows a call that the user promoted as a call, since it was answered like one', () => {
  const fenced = `Like this:\n\n\`\`\`xml\n${call}\n\`\`\`\n`
  const hermes = `Now:\n<tool_call>{"name":"read_file","arguments":{"path":"/a"}}</tool_call>`
  const inTheFence = startOf(fenced, 'call')

  it.each(toolContextBuilder.strategies.flatMap(({ id, callsBy }) => (callsBy === 'model' ? id : [])))(
    'out of a code block, in %s',
    (now) => {
      const [, reply] = told(fenced, [lift(inTheFence)], now).messages
      expect(liveCalls(reply?.content, now)).toEqual([['read_file', { path: '/a' }]])
    },
  )

  it('out of another dialect', () => {
    const [, reply] = told(hermes, [lift(startOf(hermes, 'call'))]).messages
    expect(liveCalls(reply?.content, 'XML_Tag')).toEqual([['read_file', { path: '/a' }]])
    expect(reply?.content).not.toContain('<tool_call>')
  })

  it('out of damage, as the user edited it', () => {
    const cut = '<tool_code>{"name":"write_file","arguments":{"path":"/a","content":"half'
    const whole = { name: 'write_file', arguments: { path: '/a', content: 'whole' } }
    const [, reply] = told(cut, [lift(startOf(cut, 'broken'), whole)]).messages
    expect(liveCalls(reply?.content, 'XML_Tag')).toEqual([['write_file', { path: '/a', content: 'whole' }]])
  })

  it('in native form, with its result', () => {
    const [, reply, results] = told(fenced, [lift(inTheFence)], 'Native').messages
    expect(reply?.content).toMatchObject([
      { type: 'text' },
      { type: 'tool-call', toolName: 'read_file', input: { path: '/a' } },
    ])
    expect(results).toMatchObject({ role: 'tool', content: [{ output: { value: expect.stringContaining('ok') } }] })
  })

  it('and stays text if the user did not promote it', () => {
    expect(liveCalls(told(fenced, []).messages[1]?.content, 'JSON_Strict')).toEqual([])
  })
})
