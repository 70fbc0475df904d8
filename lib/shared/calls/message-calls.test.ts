import { describe, expect, it } from 'vitest'
import type { CallAmendment, CallRecord } from '@/lib/shared/conversation/call-record'
import type { ParsedReply, Segment } from '@/lib/protocols/types/segment'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import {
  allSettled,
  isPromotedSlot,
  isSettled,
  promotedSlot,
  messageCalls,
  openCalls,
  waitingCalls,
} from './message-calls'
import { call } from '@/lib/client/calls/testing/world-calls'

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

describe('amendments', () => {
  const read = (written: CallToWrite) => ({
    ...written,
    repairs: [],
    coercions: [],
    problem: written.name === 'write_file' ? null : ({ code: 'unknown-tool', nearest: [] } as const),
  })
  const amend = (slot: number, written: CallToWrite | null) => ({
    messageId: 'm1',
    slot,
    call: written,
    amendedAt: 1,
  })
  const text = reply(
    call(0, { standing: 'quoted' }),
    call(1, { problem: { code: 'invalid-arguments', issues: [] } }),
    { kind: 'broken', start: 2, end: 3, reason: 'truncated', message: '' },
    call(3, { problem: { code: 'duplicate' } }),
    call(4),
  )
  const calls = (...amendments: CallAmendment[]) => messageCalls(text, { amendments, read })

  it('change what runs, and keep what the model asked', () => {
    const [first] = calls(amend(0, { name: 'write_file', arguments: { path: '/new' } }))
    expect(first).toMatchObject({
      slot: 0,
      runnable: true,
      changed: true,
      promoted: false,
      asked: { name: 'write_file', arguments: { path: '/1' } },
      call: { arguments: { path: '/new' }, problem: null },
    })
  })

  it('lift a quoted call and a broken one without renumbering the others', () => {
    const promoted = calls(amend(promotedSlot(0), null), amend(promotedSlot(2), { name: 'write_file', arguments: {} }))
    expect(promoted.map(({ slot, runnable, promoted: up }) => [slot, runnable, up])).toEqual([
      [promotedSlot(0), true, true],
      [0, false, false],
      [promotedSlot(2), true, true],
      [1, false, false],
      [2, true, false],
    ])
    expect(promoted.every(({ call: { standing } }) => standing === 'live')).toBe(true)
    expect(isPromotedSlot(promotedSlot(0))).toBe(true)
  })

  it('never make a broken call run by themselves', () => {
    expect(calls(amend(promotedSlot(2), null)).map(({ slot }) => slot)).toEqual([0, 1, 2])
  })

  it('may accept a repeat as it is, but not wrong arguments', () => {
    expect(calls(amend(1, null), amend(0, null)).map(({ runnable }) => runnable)).toEqual([false, true, true])
  })

  it('are checked like calls of the model', () => {
    expect(calls(amend(0, { name: 'rm', arguments: {} }))[0]).toMatchObject({ runnable: false })
  })

  it('change nothing for places without a call', () => {
    expect(calls(amend(promotedSlot(77), null), amend(9, null))).toEqual(messageCalls(text))
  })
})

describe('settling', () => {
  it('happens by a denial, a skip, or a stored outcome', () => {
    expect(isSettled(undefined)).toBe(false)
    expect(isSettled(row({}))).toBe(false)
    expect(isSettled(row({ outcome }))).toBe(true)
    expect(isSettled(row({ outcome, gated: true, release: null }))).toBe(false)
    expect(
      isSettled(
        row({ outcome, gated: true, release: { kind: 'withheld', by: { kind: 'click' }, note: '', releasedAt: 1 } }),
      ),
    ).toBe(true)
    expect(isSettled(row({ decision: 'deny' }))).toBe(true)
    expect(isSettled(row({ decision: 'skip' }))).toBe(true)
  })

  it('waits for every runnable call, and for no other', () => {
    const calls = messageCalls(reply(call(0), call(1, { problem: { code: 'duplicate' } }), call(2)))
    const rows = new Map([[0, row({ outcome })]])
    const recordOf = (slot: number) => rows.get(slot)
    expect(waitingCalls(calls, recordOf, 20).map((one) => one.slot)).toEqual([2])
    rows.set(2, row({}))
    expect(waitingCalls(calls, recordOf, 20)).toEqual([])
    expect(openCalls(calls, recordOf, 20).map((one) => one.slot)).toEqual([2])
    expect(allSettled(calls, recordOf, 20)).toBe(false)
    rows.set(2, row({ decision: 'deny' }))
    expect(allSettled(calls, recordOf, 20)).toBe(true)
  })

  it('waits for a call that cannot run once the user edited it', () => {
    const text = reply(call(0), call(1, { problem: { code: 'unknown-tool', nearest: [] } }))
    const written = { name: 'write_file', arguments: {} }
    const unfit = {
      ...written,
      repairs: [],
      coercions: [],
      problem: { code: 'invalid-arguments', issues: [] } as const,
    }
    const amendments = [{ messageId: 'm1', slot: 1, call: written, amendedAt: 1 }]
    const rows = new Map([[0, row({ outcome })]])
    const recordOf = (slot: number) => rows.get(slot)
    expect(allSettled(messageCalls(text), recordOf, 20)).toBe(true)
    const calls = messageCalls(text, { amendments, read: () => unfit })
    expect(calls[1]).toMatchObject({ runnable: false, changed: true })
    expect(waitingCalls(calls, recordOf, 20).map(({ slot }) => slot)).toEqual([1])
    expect(allSettled(calls, recordOf, 20)).toBe(false)
    rows.set(1, row({ decision: 'deny' }))
    expect(allSettled(calls, recordOf, 20)).toBe(true)
  })

  it('waits only for running calls once the reply’s call limit is reached', () => {
    const calls = messageCalls(reply(call(0), call(1), call(2)))
    const rows = new Map([[0, row({ outcome })]])
    const recordOf = (slot: number) => rows.get(slot)
    rows.set(1, row({}))
    expect(waitingCalls(calls, recordOf, 2)).toEqual([])
    expect(openCalls(calls, recordOf, 2).map(({ slot }) => slot)).toEqual([1])
    rows.set(1, row({ outcome }))
    expect(allSettled(calls, recordOf, 2)).toBe(true)
    expect(allSettled(calls, recordOf, 3)).toBe(false)
  })

  it('has nothing to settle in a reply without live calls', () => {
    expect(allSettled([], () => undefined, 20)).toBe(false)
  })
})
