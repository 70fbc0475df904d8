import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { onlyByClick, repeatsOf, roundsSinceUserMessage } from './click-reasons'
import { messageCalls, type MessageCall } from './message-calls'
import { call } from '@/lib/client/calls/testing/world-calls'

const same = () => call(0, { name: 'read_file', arguments: { path: '/a', limit: 1 } })
const swapped = call(1, { name: 'read_file', arguments: { limit: 1, path: '/a' } })
const other = call(1, { name: 'read_file', arguments: { path: '/b', limit: 1 } })
const calls = new Map<string, readonly MessageCall[]>([
  ['r1', messageCalls({ type: 'tool_call', segments: [same(), swapped] })],
  ['r2', messageCalls({ type: 'tool_call', segments: [other, { ...same(), start: 3, end: 4 }] })],
  ['r3', messageCalls({ type: 'tool_call', segments: [same()] })],
])
const callsOf = ({ id }: AssistantMessage) => calls.get(id) ?? []
const results = (id: string, parentId: string) => userRow(id, parentId, { text: '' })

const path = [
  userRow('u1', null),
  replyRow('r1', 'u1'),
  results('t1', 'r1'),
  replyRow('r2', 't1'),
  results('t2', 'r2'),
  replyRow('r3', 't2'),
]

describe('chain limits', () => {
  it('counts the same call over the rounds, whatever the order of its arguments', () => {
    expect(repeatsOf(path, callsOf, 'r1', 0)).toBe(1)
    expect(repeatsOf(path, callsOf, 'r1', 1)).toBe(2)
    expect(repeatsOf(path, callsOf, 'r2', 0)).toBe(1)
    expect(repeatsOf(path, callsOf, 'r2', 1)).toBe(3)
    expect(repeatsOf(path, callsOf, 'r3', 0)).toBe(4)
  })

  it('starts again with the user’s message', () => {
    const said = path.map((row) => (row.role === 'user' && row.id === 't2' ? { ...row, text: 'go on' } : row))
    expect(repeatsOf(said, callsOf, 'r3', 0)).toBe(1)
    expect(roundsSinceUserMessage(said)).toBe(0)
    expect(roundsSinceUserMessage(path)).toBe(2)
    expect(roundsSinceUserMessage([])).toBe(0)
  })

  it('counts the model’s calls, but not the user’s edits or the calls of an interrupted reply', () => {
    const amended = (id: string): readonly MessageCall[] =>
      (calls.get(id) ?? []).map((one) => ({
        ...one,
        asked: { name: one.call.name, arguments: one.call.arguments },
        call: { ...one.call, arguments: { path: '/mine' } },
      }))
    expect(repeatsOf(path, ({ id }) => amended(id), 'r3', 0)).toBe(4)
    const broken = path.map((row) =>
      row.role === 'assistant' && row.id === 'r1' ? { ...row, outcome: 'length' as const } : row,
    )
    expect(repeatsOf(broken, callsOf, 'r3', 0)).toBe(2)
  })

  it('returns 0 for a missing call', () => {
    expect(repeatsOf(path, callsOf, 'r9', 0)).toBe(0)
    expect(repeatsOf(path, callsOf, 'r3', 7)).toBe(0)
  })

  it('requires a click for guesses and the fifth repeat', () => {
    const [plain] = calls.get('r3') ?? []
    if (!plain) throw new Error('no call')
    expect(onlyByClick(plain, 4)).toBe(false)
    expect(onlyByClick(plain, 5)).toBe(true)
    expect(onlyByClick({ ...plain, call: { ...plain.call, repairs: ['bare-quote'] } }, 1)).toBe(true)
  })
})
