import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { describe, expect, it } from 'vitest'
import type {
  AssistantMessage,
  ConversationSettings,
  Message,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { boundaryOf, buildModelInput } from './model-messages'
import { toyBuilder } from '@/lib/server/chats/testing/toy-builder'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { createReplyReadings } from './reply-readings'

const tools: readonly ToolSpec[] = [
  { name: 'read', description: '', parameters: {} },
  { name: 'write', description: '', parameters: {}, disabled: true },
]

const settings = (strategy: StrategyId, enabled = true): ConversationSettings => ({
  version: 4,
  model: 'demo/demo',
  strategy,
  systemPrompt: 'Be kind.',
  tools: { ...defaultToolConfig, enabled },
})

let count = 0
const base = () => ({ id: `m${++count}`, conversationId: 'c', parentId: null, createdAt: 0 })

const user = (text: string, results: readonly ToolResult[] = []): UserMessage => ({
  ...base(),
  role: 'user',
  text,
  results,
})

const result = (slot: number, extra: Partial<ToolResult> = {}): ToolResult => ({
  messageId: 'a',
  slot,
  callId: `call_${slot + 1}`,
  name: 'read',
  status: 'completed',
  result: 'ok',
  durationMs: 1,
  ...extra,
})

const assistant = (text: string, extra: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...base(),
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
  ...extra,
})

function build(
  path: readonly Message[],
  { strategy = 'XML_Tag', enabled = true }: { strategy?: StrategyId; enabled?: boolean } = {},
) {
  const { instructions, messages } = buildModelInput({
    conversation: { settings: settings(strategy, enabled) },
    path,
    builder: toyBuilder,
    readings: createReplyReadings(toyBuilder),
    tools,
    boundary: (id) => `b-${id === '' ? 'none' : 'x'}`,
  })
  return {
    instructions,
    messages,
    lines: messages.map(
      ({ role, content }) => `${role}: ${typeof content === 'string' ? content : JSON.stringify(content)}`,
    ),
  }
}

/** The one assistant message that a reply becomes. */
const said = (message: AssistantMessage, options: Parameters<typeof build>[1] = {}) =>
  build([user('hello'), message], options).messages[1]?.content

describe('the instructions', () => {
  it('contain the offered tools only', () => {
    expect(build([user('hello')]).instructions).toBe('Be kind. [XML_Tag: read]')
    expect(build([user('hello')], { enabled: false }).instructions).toBe('Be kind.')
  })
})

describe('a reply of the same strategy', () => {
  it('is sent as it is stored', () => {
    const text = 'I look.\n[XML_Tag:read {"p":1}]\n and then \'[XML_Tag:read {}]\' [XML_Tag!read] '
    expect(said(assistant(text))).toBe(text)
  })

  it('loses its reasoning', () => {
    expect(said(assistant('(hm: [XML_Tag:read {}])Fine.', { reasoning: 'secret' }))).toBe('Fine.')
  })

  it('loses calls quoted in its reasoning, which would look live without it', () => {
    expect(said(assistant("(hm: a)'[XML_Tag:read {}]'(hm: b)Fine."))).toBe('Fine.')
    expect(said(assistant("Fine.(hm: a)'[XML_Tag:read {}]'"))).toBe('Fine.')
  })

  it('loses calls in another dialect', () => {
    expect(said(assistant('So: [VCP:read {"p":1}] done'))).toBe(
      'So:\n\n(a call to read stood here in a form that is not used in this chat; it did not run.)\n\ndone',
    )
  })

  it('loses invented results, and the text based on them', () => {
    const text = '[XML_Tag:read {}]\nObservation: all is well.\nSo I know it is well.'
    expect(said(assistant(text))).toBe(
      "[XML_Tag:read {}]\n(Words that looked like a tool's result stood here; no tool had run.)",
    )
    expect(said(assistant(`${text}\n'[XML_Tag:read {"then":1}]'`))).toMatch(
      /no tool had run\.\)\n\n\(a call to read stood here as an example\.\)$/,
    )
    expect(said(assistant('Observation: it rains.'))).toBe('Observation: it rains.')
    expect(said(assistant("[XML_Tag:read {}]\nObservation: well.\n\n```text\n'[XML_Tag:read {}]'\n```"))).toMatch(
      /no tool had run\.\)\n\n```text\n\n\(a call to read stood here as an example\.\)\n\n```$/,
    )
  })
})

describe('a reply of another strategy', () => {
  const options = { strategy: 'VCP' as const }

  it('has its live calls rewritten in place', () => {
    const text = 'First.\n[XML_Tag:read {"p":1}]\n[XML_Tag:read {"p":2}]\nThen.\n[XML_Tag:read {"p":3}]'
    expect(said(assistant(text), options)).toBe(
      'First.\n\n[VCP:read {"p":1}]\n[VCP:read {"p":2}]\n\nThen.\n\n[VCP:read {"p":3}]',
    )
  })

  it('has the rest as text', () => {
    const text = "(hm: x)'[XML_Tag:read {}]' [VCP:read {}] [XML_Tag!write]"
    expect(said(assistant(text), options)).toBe(
      [
        '(a call to read stood here as an example.)',
        '(a call to read stood here in a form that is not used in this chat; it did not run.)',
        '(a call to write stood here; it was cut off and could not be read.)',
      ].join('\n\n'),
    )
  })

  it('names its tags in prose without showing them', () => {
    const text = 'I write <tool_code> or </ TOOL_CODE> or <<<[TOOL_REQUEST]>>> or {"tool_calls": []}.'
    expect(said(assistant(text), options)).toBe(
      'I write ‹tool_code> or ‹/ TOOL_CODE> or [TOOL_REQUEST]>>> or {"tool-calls": []}.',
    )
    expect(said(assistant(text), { strategy: 'XML_Tag' })).toContain('I write <tool_code> or')
  })

  it('keeps an invalid name out of the prompt', () => {
    expect(said(assistant('[XML_Tag:<b> {}]'), options)).toBe('(a call to a tool stood here with {}.)')
  })
})

describe('a reply that did not finish', () => {
  it.each([
    ['stopped', '(stopped by the user)'],
    ['failed', '(the reply broke off here: the model failed)'],
    ['length', '(the reply broke off here: it was too long)'],
    ['interrupted', '(the reply broke off here: the server was interrupted)'],
    [null, '(the reply broke off here: the server was interrupted)'],
  ] as const)('%s: its calls become text, and a note says so', (outcome, note) => {
    const text = 'I look.\n[XML_Tag:read {"p":1}]'
    const words = `I look.\n\n(a call to read stood here; it did not run.)\n\n${note}`
    expect(said(assistant(text, { outcome }))).toBe(words)
    expect(said(assistant(text, { outcome }), { strategy: 'JSON_Strict' })).toBe(words)
  })

  it('is only its note if there was only reasoning', () => {
    expect(said(assistant('', { outcome: 'failed' }))).toBe('(the reply broke off here: the model failed)')
    expect(said(assistant('(hm: x) ', { outcome: 'stopped' }))).toBe('(stopped by the user)')
  })
})

describe('tools off', () => {
  it('leaves text that was written with tools off as text', () => {
    const text = 'Just [XML_Tag:read {}] text.'
    expect(said(assistant(text, { toolsEnabled: false }))).toBe(text)
  })

  it('describes earlier calls in text', () => {
    expect(said(assistant('[XML_Tag:read {"p":1}]'), { enabled: false })).toBe(
      '(a call to read stood here with {"p":1}.)',
    )
  })
})

describe('results', () => {
  it('come before the text of their message, in the current strategy', () => {
    const path = [
      user('go'),
      assistant('[XML_Tag:read {}]'),
      user('and now?', [result(0), result(1, { status: 'execution_rejected', result: { reason: 'no' } })]),
    ]
    expect(build(path, { strategy: 'VCP' }).lines).toEqual([
      'user: go',
      'assistant: [VCP:read {}]',
      'user: [VCP-results b-x: call_1 read completed "ok"; call_2 read execution_rejected {"reason":"no"}]\n\nand now?',
    ])
  })

  it('contain the user’s edits and notes', () => {
    const path = [user('go'), assistant('[XML_Tag:read {}]'), user('', [result(0, { note: 'It was trimmed.' })])]
    expect(build(path).lines.at(-1)).toContain('call_1 read completed {"note":"It was trimmed.","result":"ok"}')
  })

  it('are sent once, also if two messages contain them', () => {
    const path = [
      user('go'),
      assistant('[XML_Tag:read {}]'),
      user('', [result(0)]),
      assistant('x'),
      user('y', [result(0)]),
    ]
    expect(build(path).lines.at(-1)).toBe('user: y')
    expect(build(path).lines.join().split('call_1').length).toBe(2)
  })

  it('get the same unforgeable boundary every time', () => {
    expect(boundaryOf('0b5c2c6e-7a55-4f0e-b3f6-5f4d1a3f9a11')).toMatch(/^[a-z0-9]{14}$/)
    expect(boundaryOf('a')).toBe(boundaryOf('a'))
    expect(new Set(Array.from({ length: 500 }, (_, index) => boundaryOf(`id-${index}`))).size).toBe(500)
  })
})

describe('the order of turns', () => {
  it('alternates: empty replies are dropped and neighbours joined', () => {
    const path = [user('one'), assistant(''), user('two'), assistant('a'), assistant('b')]
    expect(build(path).lines).toEqual(['user: one\n\ntwo', 'assistant: a\n\nb'])
  })

  it('keeps two questions apart if the first got no answer', () => {
    const path = [user('one'), assistant('', { outcome: 'failed' }), user('two')]
    expect(build(path).lines).toEqual([
      'user: one',
      'assistant: (the reply broke off here: the model failed)',
      'user: two',
    ])
  })
})
