import { expect, test } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { builtIn, toolRegistry } from '@/lib/shared/tools/testing/built-in'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { BESIDE_OPENER, closeFrame, FRAME_OPENER, openFrame } from '@/lib/protocols/framed-calls/frame'
import { messageParts, copiedText, parsedReply } from './parsed-reply'

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

test('reads a reply once, until the offered tools change', () => {
  const first = parsedReply(message, defaultToolConfig, builtIn)
  expect(parsedReply(message, { ...defaultToolConfig, timeoutMs: 1_000 }, builtIn)).toBe(first)
  expect(parsedReply(message, { ...defaultToolConfig, toolToggles: { read_file: false } }, builtIn)).not.toBe(first)
})

test('recognizes a call of a tool that is registered later', () => {
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

const frames = ([FRAME_OPENER, BESIDE_OPENER] as const).flatMap((opener) =>
  ['{"path":"/a"}', '{\n  "path": "/a"\n}', '', '{"path":"/'].map((args) => ({ opener, args })),
)

test.each(frames)('shows a native call as JSON, without marks, if tools are off: $opener $args', ({ opener, args }) => {
  const frame = `${openFrame('c1', 'read_file', opener)}${args}${args.endsWith('/') ? '' : closeFrame()}`
  const text = `I look.${frame}${args.endsWith('/') ? '' : 'Done.'}`
  const off = { ...message, toolsEnabled: false, text }
  const reply = parsedReply(off, defaultToolConfig, builtIn)
  expect(reply.segments.map(({ kind, start, end }) => [kind, start, end])).toEqual([['text', 0, text.length]])
  const shown = messageParts(text, reply).map((part) => (part.kind === 'text' ? part.text : part.kind))
  for (const words of [shown.join(), copiedText(off)])
    for (const odd of ['\u001e', '\u241e', 'beside_call', 'tool_call']) expect(words).not.toContain(odd)
  expect(shown.join()).toContain('```json\n{"name":"read_file","arguments":{')
})

test('copies a reply without special tokens', () => {
  const of = (text: string) => copiedText({ ...message, text })
  expect(of('Done.<|im_end|>')).toBe('Done.')
  expect(of('<|channel|>final<|message|>Hello.<|return|>')).toBe('Hello.')
  expect(of('```\n<|channel|>final<|message|>x\n```')).toBe('```\n<|channel|>final<|message|>x\n```')
  expect(of(message.text)).toBe(message.text)
})
