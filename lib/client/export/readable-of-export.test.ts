import { describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import {
  countParts,
  everythingShown,
  onlyShown,
  nothingShown,
  type ReadableCall,
} from '@/lib/shared/conversation/readable/readable-chat'
import { readableChatSchema } from '@/lib/shared/conversation/readable/readable-chat-schema'
import { readableMarkdown } from '@/lib/shared/conversation/readable/readable-markdown'
import { withoutContent } from '@/lib/shared/conversation/deleted-message'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { strategies } from '@/lib/protocols/registry'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createToolRegistry } from '@/lib/shared/tools/tool-registry'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { readableOfExport } from './readable-of-export'

const tools = createToolRegistry(builtInTools).of([])
const written = toolContextBuilder.get('XML_Tag').formatCalls([{ name: 'read_file', arguments: { path: '/secret' } }])

const user = (id: string, parentId: string | null, text: string): Message => ({
  id,
  conversationId: 'c',
  parentId,
  createdAt: 1,
  role: 'user',
  text,
  results: [],
})
const reply = (
  id: string,
  parentId: string,
  text: string,
  patch: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  id,
  conversationId: 'c',
  parentId,
  createdAt: 2,
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
  ...patch,
})
const ran = (patch: Partial<CallRecord> = {}): CallRecord => ({
  messageId: 'a1',
  slot: 0,
  callId: 'call_1',
  name: 'read_file',
  callHash: 'h',
  decision: 'run',
  reason: '',
  runnerId: 'tab',
  attempt: 1,
  decidedAt: 1,
  outcome: { status: 'completed', result: 'whole and raw', durationMs: 1, console: [], displays: [] },
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: 2,
  postedIn: null,
  ...patch,
})
const exportOf = (
  messages: readonly Message[],
  calls: readonly CallRecord[] = [],
  headId?: string,
): ConversationExport => ({
  format: 'nod-conversation',
  version: 2,
  exportedAt: 9,
  conversation: {
    id: 'c',
    title: 'Chat',
    settings: defaultSettings('demo/demo'),
    settingsProblem: null,
    headId: headId ?? messages.at(-1)?.id ?? null,
    createdAt: 1,
    updatedAt: 2,
  },
  messages,
  calls,
  amendments: [],
  grants: [],
  log: [],
})
const callsIn = (exported: ConversationExport): readonly ReadableCall[] =>
  readableOfExport(exported, tools).messages.flatMap((message) =>
    message.by === 'model' ? message.parts.filter((part) => part.kind === 'call') : [],
  )

it('contains the shown branch, with each call in its place and none of its text in the prose', () => {
  const exported = exportOf(
    [user('u1', null, 'go'), reply('a1', 'u1', `Look:\n${written}`), user('u2', null, 'another branch')],
    [ran()],
    'a1',
  )
  const chat = readableOfExport(exported, tools)
  expect(chat.messages).toHaveLength(2)
  expect(callsIn(exported)).toEqual([
    {
      kind: 'call',
      tool: 'read_file',
      state: 'done',
      arguments: { path: '/secret' },
      written: null,
      result: { value: 'whole and raw', displays: [] },
    },
  ])
  const bytes = JSON.stringify(onlyShown(chat, nothingShown))
  expect(bytes).toContain('Look:')
  expect(bytes).not.toMatch(/secret|whole and raw/)
})

it('contains the calls of code and of a result’s page, with their decision and their end, and no result of them', () => {
  const inner = (n: number, patch: Partial<InnerCall>): InnerCall => ({
    n,
    attempt: 1,
    name: 'get_time',
    arguments: { time_zone: 'Europe/Berlin' },
    decision: 'run',
    reason: '',
    decidedAt: 1,
    by: { kind: 'click' },
    outcome: { status: 'completed', result: 'inner result', durationMs: 1, console: [], displays: [] },
    ...patch,
  })
  const exported = exportOf(
    [user('u1', null, 'go'), reply('a1', 'u1', written)],
    [
      ran({
        inner: [
          inner(1, {}),
          inner(2, { decision: 'deny', outcome: null }),
          inner(3, { name: 'set_state', page: true, by: { kind: 'auto' }, outcome: null }),
        ],
      }),
    ],
  )
  const chat = readableOfExport(exported, tools)
  const text = readableMarkdown(chat, 0)
  const about = /\*\*Call to .*, by .*/g
  expect(text.match(about)).toEqual([
    '**Call to `get_time`, by the code** · done, approved by a click',
    '**Call to `get_time`, by the code** · denied',
    '**Call to `set_state`, by the page of the result** · outcome unknown, approved by a rule',
  ])
  expect(text).toContain('"time_zone": "Europe/Berlin"')
  expect(text).not.toContain('inner result')
  // Hiding arguments hides those of inner calls too.
  const hidden = onlyShown(chat, { ...everythingShown, arguments: false })
  expect(readableMarkdown(hidden, 0).match(about)).toHaveLength(3)
  expect(JSON.stringify(hidden)).not.toContain('Berlin')
  expect(readableChatSchema.parse(JSON.parse(JSON.stringify(chat)))).toEqual(chat)
})

it('contains no result that its owner changed, withheld or did not review yet', () => {
  const messages = [user('u1', null, 'go'), reply('a1', 'u1', written)]
  const release = { by: { kind: 'click' }, note: '', releasedAt: 1 } as const
  const resultOf = (patch: Partial<CallRecord>) => callsIn(exportOf(messages, [ran({ gated: true, ...patch })]))[0]
  expect(resultOf({ release: null })?.result).toBeNull()
  expect(resultOf({ release: { ...release, kind: 'withheld' } })).toMatchObject({ state: 'withheld', result: null })
  expect(resultOf({ release: { ...release, kind: 'changed', result: 'cut', changes: ['redacted'] } })?.result).toEqual({
    value: 'cut',
    displays: [],
  })
  expect(resultOf({ decision: 'deny', outcome: null })).toMatchObject({ state: 'denied', result: null })
})

it('contains nothing that only the page of a tool got', () => {
  const displays = [
    { kind: 'text', data: 'shown' },
    { kind: 'app', data: '{"uri":"ui://a","result":{"structuredContent":"not shown"}}' },
  ]
  const outcome = { status: 'completed', result: 'told', durationMs: 1, console: [], displays } as const
  const exported = exportOf([user('u1', null, 'go'), reply('a1', 'u1', written)], [ran({ outcome })])
  expect(callsIn(exported)[0]?.result?.displays).toEqual([{ kind: 'text', data: 'shown' }])
})

it('hides text that looks like a call in an interrupted reply, too', () => {
  const exported = exportOf([
    user('u1', null, 'go'),
    reply('a1', 'u1', written, { outcome: 'stopped', reasoning: 'hm' }),
  ])
  expect(callsIn(exported)).toMatchObject([{ state: 'skipped', tool: 'read_file' }])
  expect(JSON.stringify(onlyShown(readableOfExport(exported, tools), nothingShown))).not.toMatch(/secret|hm/)
})

it.each(strategies.filter(({ id }) => id !== 'Native'))(
  'omits a hidden thought, even if the thought contains a call: $id',
  ({ id, formatCalls }) => {
    const call = formatCalls([{ name: 'read_file', arguments: { path: '/secret' } }])
    for (const thought of [
      `<think>I could ${call} now.</think>\nHello`,
      `<think>${call}${call}</think>\nHello`,
      `<think>\n${call}\n\n${call}\n</think>\nHello`,
      `<think>Or\n\`\`\`\n${call}\n\`\`\`\n${call.slice(0, -9)}</think>\nHello`,
      `<think>never closed\n${call}\n`,
    ]) {
      const thinking = reply('a1', 'u1', thought, { strategy: id })
      const chat = readableOfExport(exportOf([user('u1', null, 'go'), thinking]), tools)
      const bytes = JSON.stringify(onlyShown(chat, { ...everythingShown, thoughts: false }))
      expect([thought, bytes]).toEqual([thought, expect.not.stringMatching(/secret|read_file/)])
      expect(JSON.stringify(chat)).toContain('secret')
    }
  },
)

const thinkingForms = [
  '<think>PONDER</think>\nHello.',
  '<seed:think>PONDER</seed:think>\nHello.',
  '[THINK]PONDER[/THINK]\nHello.',
  '◁think▷PONDER◁/think▷\nHello.',
  '<|thinking|>PONDER<|/thinking|>\nHello.',
  '<|START_THINKING|>PONDER<|END_THINKING|>\nHello.',
  '<|begin_of_thought|>PONDER<|end_of_thought|>\nHello.',
  '<|channel|>analysis<|message|>PONDER<|end|><|start|>assistant<|channel|>final<|message|>Hello.',
]
const endTokens = ['', '<|im_end|>', '</s>', '<|eot_id|>', '<end_of_turn>\n', '<｜end▁of▁sentence｜>', '<|return|>']
const marks = /think|THINK|thought|channel|message\||<\||\|>|｜|◁|<\/s>|end_of_turn/

describe.each(strategies.map(({ id }) => id))('under %s', (strategy) => {
  it.each(thinkingForms)('removes marks of thoughts and turns from the chat: %s', (form) => {
    for (const token of endTokens) {
      const said = reply('a1', 'u1', `${form}${token}`, { strategy })
      const chat = readableOfExport(exportOf([user('u1', null, 'go'), said]), tools)
      expect(chat.messages.at(-1)).toMatchObject({
        parts: [
          { kind: 'thought', text: 'PONDER' },
          { kind: 'text', text: 'Hello.' },
        ],
      })
      const shared = onlyShown(chat, { ...everythingShown, thoughts: false })
      const document = readableMarkdown(shared, 0)
      expect(document).toContain('Hello.')
      for (const leaves of [document, JSON.stringify(shared)]) expect(leaves).not.toMatch(/PONDER/)
      expect(document).not.toMatch(marks)
      expect(JSON.stringify(chat.messages)).not.toMatch(/<\||\|>|｜|◁|\[THINK|<\/s>|end_of_turn|<\/?think/)
    }
  })
})

it('does not count an example as a call', () => {
  const example = reply('a1', 'u1', `Like this:\n\`\`\`text\n${written}\n\`\`\`\nor \`${written}\`.`)
  expect(countParts(readableOfExport(exportOf([user('u1', null, 'go'), example]), tools)).calls).toBe(0)
  const real = readableOfExport(exportOf([user('u1', null, 'go'), reply('a1', 'u1', written)], [ran()]), tools)
  expect(countParts(real).calls).toBe(1)
})

it('ends with messages that form a cycle', () => {
  const exported = exportOf([user('u1', 'u2', 'a'), user('u2', 'u1', 'b')])
  expect(readableOfExport(exported, tools).messages).toHaveLength(2)
})

it('leaves out deleted messages', () => {
  const deleted = [
    user('u1', null, 'go'),
    reply('a1', 'u1', 'Gone.'),
    user('u2', 'a1', 'and?'),
    reply('a2', 'u2', 'Yes.'),
  ]
  const exported = exportOf(deleted.map((message) => (message.id === 'a1' ? withoutContent(message) : message)))
  expect(readableOfExport(exported, tools).messages.map(({ by }) => by)).toEqual(['person', 'person', 'model'])
})

it('names the reviewer who decided, and only together with the arguments', () => {
  const by = { kind: 'reviewer', name: 'Grace `x`' } as const
  const chat = readableOfExport(exportOf([user('u1', null, 'go'), reply('a1', 'u1', written)], [ran({ by })]), tools)
  expect(readableMarkdown(chat, 0)).toContain('· done, approved by the reviewer `` Grace `x` ``')
  expect(readableChatSchema.parse(JSON.parse(JSON.stringify(chat)))).toEqual(chat)
  const hidden = JSON.stringify(onlyShown(chat, { ...everythingShown, arguments: false }))
  expect(hidden).not.toContain('Grace')
  const denied = ran({ by, decision: 'deny', outcome: null })
  const refused = readableOfExport(exportOf([user('u1', null, 'go'), reply('a1', 'u1', written)], [denied]), tools)
  expect(readableMarkdown(refused, 0)).toContain('· denied by the reviewer')
})
