import { expect, test } from 'vitest'
import type { AssistantMessage } from '@/lib/conversation/conversation'
import { defaultToolConfig } from '@/lib/conversation/tool-config'
import { builtIn, toolRegistry } from '@/lib/tools/testing/built-in'
import type { ToolSet } from '@/lib/tools/tool-registry'
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

const problems = (tools: ToolSet) =>
  parsedReply(message, defaultToolConfig, tools).segments.map((segment) =>
    segment.kind === 'call' ? segment.problem : null,
  )

test('a reply is read once, until what is offered changes', () => {
  const first = parsedReply(message, defaultToolConfig, builtIn)
  expect(parsedReply(message, { ...defaultToolConfig, timeoutMs: 1_000 }, builtIn)).toBe(first)
  expect(parsedReply(message, { ...defaultToolConfig, toolToggles: { read_file: false } }, builtIn)).not.toBe(first)
})

test('a tool that the conversation registers later makes the call one of it', () => {
  expect(problems(builtIn)).toEqual([expect.objectContaining({ code: 'unknown-tool' })])
  const countWords = {
    name: 'count_words',
    description: 'Counts words.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    permission: 'moderate',
    files: 'read',
    origin: 'registered',
  } as const
  expect(problems(toolRegistry.of([countWords]))).toEqual([null])
  expect(problems(builtIn)).toEqual([expect.objectContaining({ code: 'unknown-tool' })])
})
