import { describe, expect, it } from 'vitest'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { testTools } from '@/lib/protocols/testing/tools'
import { createReplyReadings } from '@/lib/shared/prompt/reply-readings'
import { buildModelInput } from '@/lib/shared/prompt/model-messages'
import { defaultToolConfig } from './settings/registered-tool'
import type { AssistantMessage, Message, UserMessage } from './conversation'
import type { ToolResult } from './call-record'
import { withContent, withoutContent, withoutResults, withResults } from './deleted-message'

const base = { conversationId: 'c', createdAt: 0 }
const user = (id: string, parentId: string | null, over: Partial<UserMessage> = {}): UserMessage => ({
  ...base,
  id,
  parentId,
  role: 'user',
  text: `words of ${id}`,
  results: [],
  ...over,
})
const reply = (id: string, parentId: string, text: string): AssistantMessage => ({
  ...base,
  id,
  parentId,
  role: 'assistant',
  text,
  reasoning: 'thought',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r',
})
const result = (over: Partial<ToolResult> = {}): ToolResult => ({
  messageId: 'a1',
  slot: 0,
  callId: 'call_1',
  name: 'read_file',
  status: 'completed',
  result: 'what stood in the file',
  durationMs: 1,
  ...over,
})

describe('a deleted message', () => {
  it('keeps its place and no content', () => {
    const message = user('u1', null, {
      attachments: [{ path: '/a', mediaType: 'text/plain', size: 1, head: 'x', isImage: false }],
      results: [result()],
    })
    expect(withoutContent(message)).toEqual({ ...user('u1', null, { text: '', results: [result()] }), deleted: true })
    expect(withContent(withoutContent(message), message)).toEqual(message)
    const answer = reply('a1', 'u1', 'An answer.')
    expect(withoutContent(answer)).toEqual({ ...answer, text: '', reasoning: '', deleted: true })
    expect(withContent(withoutContent(answer), answer)).toBe(answer)
  })

  it('removes its results from a later message, and restores them in their order', () => {
    const other = result({ messageId: 'a0', slot: 1 })
    const message = user('u2', 'a1', { results: [result(), other], late: [result({ slot: 3 })] })
    const without = withoutResults(message, 'a1')
    expect(without?.message).toEqual(user('u2', 'a1', { results: [other] }))
    expect(without && withResults(without.message, without.taken)).toEqual(message)
    expect(withoutResults(message, 'a7')).toBeNull()
  })
})

describe.each(toolContextBuilder.strategies.map(({ id }) => id))('what a model is sent of it, in %s', (strategy) => {
  const call = toolContextBuilder.get(strategy).formatCalls([{ name: 'read_file', arguments: { path: '/secret' } }])
  const path: readonly Message[] = [
    user('u1', null),
    { ...reply('a1', 'u1', call), strategy },
    user('u2', 'a1', { text: '', results: [result()] }),
    { ...reply('a2', 'u2', 'All right.'), strategy },
    user('u3', 'a2'),
  ]
  const sent = (messages: readonly Message[]) =>
    buildModelInput({
      conversation: {
        settings: { version: 4, model: 'demo/demo', strategy, systemPrompt: '', tools: defaultToolConfig },
      },
      path: messages,
      builder: toolContextBuilder,
      readings: createReplyReadings(toolContextBuilder),
      tools: testTools,
    }).messages
  const without = (...ids: readonly string[]) =>
    path.map((message) => {
      if (ids.includes(message.id)) return withoutContent(message)
      return (message.role === 'user' && ids.includes('a1') && withoutResults(message, 'a1')?.message) || message
    })

  it('has no text, no calls and no results', () => {
    expect(JSON.stringify(sent(path))).toMatch(/secret[\s\S]*what stood/)
    const messages = sent(without('a1'))
    expect(JSON.stringify(messages)).not.toMatch(/secret|what stood/)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(sent(without('u1')))).not.toContain('words of u1')
  })

  it('leaves turns that alternate and begin with the user', () => {
    for (const ids of [['u1'], ['a1'], ['a2'], ['u1', 'a1'], ['u1', 'a1', 'a2']]) {
      const roles = sent(without(...ids)).map(({ role }) => role)
      expect(roles[0]).toBe('user')
      expect(roles.at(-1)).toBe('user')
      const plain = roles.filter((role) => role !== 'tool')
      if (strategy !== 'Native') expect(plain.some((role, at) => at > 0 && role === plain[at - 1])).toBe(false)
    }
  })
})
