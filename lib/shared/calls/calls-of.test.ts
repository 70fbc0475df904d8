import { expect, it, vi } from 'vitest'
import type { AssistantMessage, Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { callsOf, isReadForCalls, type CallReading } from './message-calls'

const reply: AssistantMessage = {
  id: 'a1',
  conversationId: 'c1',
  parentId: 'u1',
  createdAt: 1,
  role: 'assistant',
  text: '<call>',
  reasoning: '',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
}
const user: Message = {
  id: 'u1',
  conversationId: 'c1',
  parentId: null,
  createdAt: 1,
  role: 'user',
  text: '<call>',
  results: [],
}
const parsed: ParsedReply = {
  type: 'tool_call',
  segments: [
    {
      kind: 'call',
      start: 0,
      end: 6,
      id: 'call_1',
      name: 'read_file',
      arguments: {},
      standing: 'live',
      verdict: 'ok',
      repairs: [],
      coercions: [],
      dialect: 'JSON_Strict',
      problem: null,
    },
  ],
}
const reading = () => ({
  parse: vi.fn<CallReading['parse']>(() => parsed),
  readCall: vi.fn<CallReading['readCall']>(),
})

it('reads the calls of a reply that ended by itself and was made with tools', () => {
  expect(callsOf(reply, [], reading())).toMatchObject([{ slot: 0, runnable: true }])
  expect(isReadForCalls(reply)).toBe(true)
})

const outcomes: Readonly<Record<Exclude<ReplyOutcome, 'finished'>, true>> = {
  stopped: true,
  failed: true,
  length: true,
  interrupted: true,
}
it.each([
  ['nothing', undefined],
  ['what the user wrote', user],
  ['a reply that is being written', { ...reply, outcome: null }],
  ['a reply that was made without tools', { ...reply, toolsEnabled: false }],
  ...Object.keys(outcomes).map(
    (outcome) => [`a reply that ended as ${outcome}`, { ...reply, outcome: outcome as ReplyOutcome }] as const,
  ),
] as const)('does not even parse %s', (_, message) => {
  const how = reading()
  expect(callsOf(message, [{ messageId: 'a1', slot: 0, call: null, amendedAt: 1 }], how)).toEqual([])
  expect(how.parse).not.toHaveBeenCalled()
})
