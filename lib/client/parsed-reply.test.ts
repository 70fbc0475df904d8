import { expect, test } from 'vitest'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { toolRegistry } from '@/lib/tools/registry'
import { parsedReply } from './parsed-reply'

const message: AssistantMessage = {
  id: 'm1',
  conversationId: 'c1',
  parentId: null,
  createdAt: 1,
  role: 'assistant',
  text: '<tool_code>{"name": "count_words", "arguments": {"path": "/a"}}</tool_code>',
  reasoning: '',
  strategy: 'XML_Tag',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
}

const problems = () =>
  parsedReply(message, defaultToolConfig).segments.map((segment) => (segment.kind === 'call' ? segment.problem : null))

test('a reply is read once, until what is offered changes', () => {
  const first = parsedReply(message, defaultToolConfig)
  expect(parsedReply(message, { ...defaultToolConfig, timeoutMs: 1_000 })).toBe(first)
  expect(parsedReply(message, { ...defaultToolConfig, toolToggles: { read_file: false } })).not.toBe(first)
})

test('a tool that comes later makes the call one of it', () => {
  const base = toolRegistry.get('read_file')
  if (base === undefined) throw new Error('no tool')
  const before = problems()
  expect(before).toEqual([expect.objectContaining({ code: 'unknown-tool' })])
  const takeOut = toolRegistry.register({ ...base, name: 'count_words' })
  expect(problems()).toEqual([null])
  takeOut()
  expect(problems()).toEqual(before)
})
