import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { AssistantMessage, Conversation } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import type { LiveCall } from '@/lib/shared/calls/call-state'
import type { Segment } from '@/lib/protocols/types/segment'

export const conversation: Conversation = {
  id: 'c1',
  title: 'Orders per month',
  settings: {
    version: 4,
    model: 'demo/demo',
    strategy: 'XML_Tag',
    systemPrompt: '',
    tools: defaultToolConfig,
  },
  settingsProblem: null,
  headId: 'm1',
  createdAt: 1,
  updatedAt: 1,
}

export const reply = (patch: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id: 'm1',
  conversationId: 'c1',
  parentId: 'u1',
  createdAt: 2,
  role: 'assistant',
  text: '',
  reasoning: '',
  strategy: 'XML_Tag',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
  ...patch,
})

export const record = (slot: number, patch: Partial<CallRecord> = {}): CallRecord => ({
  messageId: 'm1',
  slot,
  callId: `call_${slot + 1}`,
  name: 'read_file',
  callHash: 'h',
  decision: 'run',
  reason: '',
  runnerId: 'tab',
  attempt: 1,
  decidedAt: 1000,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
  ...patch,
})

export const outcome = (patch: Partial<CallOutcome> = {}): CallOutcome => ({
  status: 'completed',
  result: { path: '/a.md', content: 'hello' },
  durationMs: 12,
  console: [],
  displays: [],
  ...patch,
})

export const live = (patch: Partial<LiveCall> = {}): LiveCall => ({
  startedAt: Date.now() - 3400,
  attempt: 1,
  events: [],
  outcome: null,
  problem: null,
  ...patch,
})

/** A text made of pieces, with the segments that a parser would find. */
export function textOf(pieces: readonly (string | { readonly raw: string; readonly segment: object })[]) {
  let text = ''
  const segments = pieces.map((piece) => {
    const start = text.length
    text += typeof piece === 'string' ? piece : piece.raw
    const range = { start, end: text.length }
    return (typeof piece === 'string' ? { kind: 'text', ...range } : { ...piece.segment, ...range }) as Segment
  })
  return { text, segments }
}

export const callPiece = (name: string, args: object, patch: object = {}) => ({
  raw: `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`,
  segment: {
    kind: 'call',
    id: 'call_1',
    name,
    arguments: args,
    standing: 'live',
    verdict: 'ok',
    repairs: [],
    coercions: [],
    dialect: 'XML_Tag',
    problem: null,
    ...patch,
  },
})
