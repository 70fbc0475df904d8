import { describe, expect, it } from 'vitest'
import type { Message } from './conversation'
import { messageOfStored } from './stored-results'

const told = (status: string, error: string) => ({
  messageId: 'a1',
  slot: 0,
  callId: 'call_1',
  name: 'x',
  status,
  result: { error },
  durationMs: null,
})
const message = (fields: object) =>
  ({
    id: 'u2',
    conversationId: 'c1',
    parentId: 'a1',
    createdAt: 1,
    role: 'user',
    text: '',
    results: [],
    ...fields,
  }) as unknown as Message

describe('results that were stored as denied', () => {
  it('are told apart: refused calls, and results that were kept', () => {
    const stored = message({
      results: [
        told('denied', 'The user denied this call.'),
        told('completed', 'It ran'),
        told('denied', 'It ran, but its result was not sent: the user kept it.'),
      ],
      late: [told('denied', 'It ran, but its result was not sent: the user kept it.')],
    })
    expect(messageOfStored(stored)).toMatchObject({
      results: [{ status: 'execution_rejected' }, { status: 'completed' }, { status: 'result_rejected' }],
      late: [{ status: 'result_rejected' }],
    })
  })

  it('leave every other message as it is', () => {
    for (const other of [
      message({}),
      message({ results: [told('error', 'It ran')] }),
      { id: 'a1', role: 'assistant', text: 'denied' } as unknown as Message,
    ])
      expect(messageOfStored(other)).toBe(other)
  })
})
