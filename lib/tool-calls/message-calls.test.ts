import { describe, expect, it } from 'vitest'
import type { CallRecord } from '@/lib/chat/conversation'
import type { ParsedReply, Segment } from '@/lib/strategies/segment'
import { allSettled, isSettled, messageCalls, openCalls, waitingCalls } from './message-calls'
import { call } from './testing/call-world'

const reply = (...segments: Segment[]): ParsedReply => ({ type: 'mixed', segments })
const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const
const row = (patch: Partial<CallRecord>) => ({ decision: 'run', outcome: null, ...patch }) as CallRecord

describe('messageCalls', () => {
  it('counts live calls only, and knows which can run', () => {
    const calls = messageCalls(
      reply(
        { kind: 'text', start: 0, end: 1 },
        call(0, { standing: 'quoted' }),
        call(1),
        call(2, { standing: 'foreign' }),
        call(3, { problem: { code: 'disabled-tool' } }),
        { kind: 'broken', start: 4, end: 5, reason: 'truncated', message: '' },
        call(5),
      ),
    )
    expect(calls.map(({ slot, call: { start }, runnable }) => [slot, start, runnable])).toEqual([
      [0, 1, true],
      [1, 3, false],
      [2, 5, true],
    ])
  })
})

describe('settling', () => {
  it('is a denial, a skip, or a stored outcome', () => {
    expect(isSettled(undefined)).toBe(false)
    expect(isSettled(row({}))).toBe(false)
    expect(isSettled(row({ outcome }))).toBe(true)
    expect(isSettled(row({ decision: 'deny' }))).toBe(true)
    expect(isSettled(row({ decision: 'skip' }))).toBe(true)
  })

  it('waits for every runnable call, and for no other', () => {
    const calls = messageCalls(reply(call(0), call(1, { problem: { code: 'duplicate' } }), call(2)))
    const rows = new Map([[0, row({ outcome })]])
    const recordOf = (slot: number) => rows.get(slot)
    expect(waitingCalls(calls, recordOf).map((one) => one.slot)).toEqual([2])
    rows.set(2, row({}))
    expect(waitingCalls(calls, recordOf)).toEqual([])
    expect(openCalls(calls, recordOf).map((one) => one.slot)).toEqual([2])
    expect(allSettled(calls, recordOf)).toBe(false)
    rows.set(2, row({ decision: 'deny' }))
    expect(allSettled(calls, recordOf)).toBe(true)
  })

  it('has nothing to settle in a reply without live calls', () => {
    expect(allSettled([], () => undefined)).toBe(false)
  })
})
