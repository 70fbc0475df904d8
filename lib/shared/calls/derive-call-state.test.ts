import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { fixRounds, type CountedBrokenCall, deriveCallState, type CallFacts } from './derive-call-state'
import { describe, expect, it } from 'vitest'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import type { LiveCall } from './call-state'
import type { ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'

const base = { conversationId: 'c', parentId: null, createdAt: 1 }
const user = (id: string, text: string): UserMessage => ({ ...base, id, role: 'user', text, results: [] })
const reply = (id: string): AssistantMessage => ({
  ...base,
  id,
  role: 'assistant',
  text: '',
  reasoning: '',
  strategy: 'XML_Tag',
  toolsEnabled: true,
  model: 'm',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r',
})

const write: CountedBrokenCall = { name: 'write_file', message: 'Your call to write_file was cut off.' }
const read: CountedBrokenCall = { name: 'read_file', message: 'Your call to read_file has no end.' }
const nameless: CountedBrokenCall = { message: 'Your tool call is not valid JSON.' }

const count = (
  path: readonly Message[],
  trouble: CountedBrokenCall,
  broken: Readonly<Record<string, CountedBrokenCall>>,
) => fixRounds(path, path.at(-1)?.id ?? '', trouble, (one) => (broken[one.id] ? [broken[one.id] ?? write] : []))

describe('fixRounds', () => {
  it('is 0 at first', () => {
    expect(count([user('u', 'Write it.'), reply('a')], write, { a: write })).toBe(0)
  })

  it('counts each time that the message about the same problem was sent', () => {
    const path = [
      user('u', 'Write it.'),
      reply('a'),
      user('v', write.message),
      reply('b'),
      user('w', write.message),
      reply('c'),
    ]
    expect(count(path.slice(0, 4), write, { a: write, b: write })).toBe(1)
    expect(count(path, write, { a: write, b: write, c: write })).toBe(2)
  })

  it('does not count another tool’s problem, except a nameless one', () => {
    const path = [user('u', 'Go.'), reply('a'), user('v', read.message), reply('b')]
    expect(count(path, write, { a: read })).toBe(0)
    const other = [user('u', 'Go.'), reply('a'), user('v', nameless.message), reply('b')]
    expect(count(other, write, { a: nameless })).toBe(1)
  })

  it('continues past results, and starts again at the user’s own message', () => {
    const path = [user('u', 'Go.'), reply('a'), user('v', write.message), reply('b'), user('w', ''), reply('c')]
    expect(count(path, write, { a: write })).toBe(1)
    const own = [
      user('u', 'Go.'),
      reply('a'),
      user('v', write.message),
      reply('b'),
      user('w', 'Try again.'),
      reply('c'),
    ]
    expect(count(own, write, { a: write, b: write })).toBe(0)
    const file = { path: '/a.csv', mediaType: 'text/csv', size: 3, head: 'a,b', isImage: false }
    const sent = own.map((row) => (row.id === 'w' ? { ...user('w', ''), attachments: [file] } : row))
    expect(count(sent, write, { a: write, b: write })).toBe(0)
  })
})

const outcome = (status: ToolExecuteStatus): CallOutcome => ({
  status,
  result: status,
  durationMs: 3,
  console: [],
  displays: [],
})

const record = (patch: Partial<CallRecord> = {}): CallRecord => ({
  messageId: 'm',
  slot: 0,
  callId: 'call_1',
  name: 'read_file',
  callHash: 'h',
  decision: 'run',
  reason: '',
  runnerId: 'tab',
  attempt: 1,
  decidedAt: 50,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
  ...patch,
})

const live = (patch: Partial<LiveCall> = {}): LiveCall => ({
  startedAt: 40,
  attempt: 1,
  events: [],
  outcome: null,
  problem: null,
  ...patch,
})

const facts = (patch: Partial<CallFacts> = {}): CallFacts => ({
  reply: 'finished',
  runnable: true,
  record: undefined,
  live: undefined,
  runner: 'unknown',
  posted: false,
  overtaken: false,
  ...patch,
})

describe('file changes that wait for review', () => {
  const review = { changes: [], total: 1, texts: () => Promise.resolve({ before: null, after: null }) }

  it('belong to the attempt that this tab runs, and to no other', () => {
    expect(deriveCallState(facts({ record: record(), live: live({ review }) }))).toMatchObject({
      status: 'executing',
      review,
    })
    for (const other of [
      facts({ live: live({ review }) }),
      facts({ record: record({ attempt: 2 }), live: live({ review }) }),
      facts({ record: record({ outcome: outcome('completed') }), live: live({ review }) }),
      facts({ record: record({ decision: 'deny' }), live: live({ review }) }),
      facts({ record: record(), live: live({ review, outcome: outcome('completed') }) }),
    ]) {
      expect(deriveCallState(other)).not.toHaveProperty('review')
    }
  })
})

describe('a run that the user stopped', () => {
  const stopped = { at: 60, outcome: outcome('cancelled') }

  it('shows as stopped wherever its row is read: after a reload, in another tab, no matter who holds the lock', () => {
    for (const runner of ['held', 'free', 'unknown'] as const) {
      expect(deriveCallState(facts({ record: record({ stopped }), runner }))).toEqual({
        status: 'cancelled',
        outcome: stopped.outcome,
        attempt: 1,
        settled: false,
        posted: false,
      })
    }
  })

  it('shows as stopped, not interrupted, if its page closed right after the click', () => {
    const unseen = record({ stopped: { at: 60, outcome: null } })
    expect(deriveCallState(facts({ record: unseen, runner: 'held' })).status).toBe('executing')
    expect(deriveCallState(facts({ record: unseen, runner: 'free' }))).toMatchObject({
      status: 'cancelled',
      outcome: null,
    })
    expect(deriveCallState(facts({ record: record(), runner: 'free' })).status).toBe('interrupted')
  })

  it('may run again here', () => {
    const again = facts({ record: record({ stopped }), live: live({ attempt: 2, queued: true }) })
    expect(deriveCallState(again).status).toBe('queued')
  })

  it('shows as done if it had ended before the stop reached it', () => {
    const both = record({ stopped, outcome: outcome('completed') })
    expect(deriveCallState(facts({ record: both })).status).toBe('completed')
  })
})

describe('a run during which the user sent a message', () => {
  const posted = record({ postedIn: 'u2' })

  it('continues, here and elsewhere', () => {
    expect(deriveCallState(facts({ record: posted, live: live(), overtaken: true, posted: true }))).toMatchObject({
      status: 'executing',
      here: true,
    })
    expect(deriveCallState(facts({ record: posted, runner: 'held', overtaken: true })).status).toBe('executing')
  })

  it('keeps its outcome', () => {
    const late = record({ postedIn: 'u2', outcome: outcome('completed') })
    expect(deriveCallState(facts({ record: late, overtaken: true, posted: true }))).toMatchObject({
      status: 'completed',
    })
  })

  it('is never run again when its page is gone', () => {
    const gone = facts({ record: posted, runner: 'free', overtaken: true })
    expect(deriveCallState(gone)).toMatchObject({ status: 'interrupted', posted: true })
    const again = { ...gone, live: live({ attempt: 2, queued: true }) }
    expect(deriveCallState({ ...again, record: posted }).status).not.toBe('executing')
  })
})

describe('deriveCallState', () => {
  it.each(['stopped', 'failed', 'length', 'interrupted'] as const)(
    'offers nothing of a reply that is %s, whatever else is known',
    (outcomeOfReply) => {
      for (const rec of [undefined, record(), record({ outcome: outcome('completed') })])
        for (const liv of [undefined, live()])
          expect(deriveCallState(facts({ reply: outcomeOfReply, record: rec, live: liv }))).toEqual({
            status: 'not_offered',
            outcome: outcomeOfReply,
          })
    },
  )

  it('is pending while the reply is being written', () => {
    expect(deriveCallState(facts({ reply: null, live: live() }))).toEqual({ status: 'pending' })
  })

  it('waits if nothing was decided', () => {
    expect(deriveCallState(facts())).toEqual({ status: 'awaiting_approval' })
  })

  it('never offers a call with a problem', () => {
    expect(deriveCallState(facts({ runnable: false, live: live() }))).toEqual({ status: 'not_runnable', posted: false })
  })

  it('is skipped if the user sent a message without deciding, or the server says so', () => {
    expect(deriveCallState(facts({ overtaken: true })).status).toBe('skipped')
    expect(deriveCallState(facts({ record: record({ decision: 'skip' }) })).status).toBe('skipped')
  })

  it('keeps the reason of a denial', () => {
    const state = deriveCallState(facts({ record: record({ decision: 'deny', reason: 'not now' }), live: live() }))
    expect(state).toEqual({ status: 'execution_rejected', reason: 'not now', posted: false })
  })

  it.each([
    ['completed', 'completed'],
    ['error', 'error'],
    ['not_found', 'error'],
    ['cancelled', 'cancelled'],
    ['interrupted', 'interrupted'],
    ['execution_rejected', 'execution_rejected'],
    ['skipped', 'skipped'],
  ] as const)('shows a stored outcome %s as %s, whatever this tab assumes', (status, expected) => {
    for (const runner of ['held', 'free', 'unknown'] as const)
      for (const liv of [undefined, live(), live({ outcome: outcome('error') })]) {
        const state = deriveCallState(facts({ record: record({ outcome: outcome(status) }), runner, live: liv }))
        expect(state.status).toBe(expected)
        if (state.status === 'cancelled' || state.status === 'interrupted') expect(state.settled).toBe(true)
      }
  })

  it('is posted once the row or the thread says so', () => {
    const done = record({ outcome: outcome('completed') })
    const postedOf = (patch: Partial<CallFacts>) => {
      const state = deriveCallState(facts({ record: done, ...patch }))
      return 'posted' in state && state.posted
    }
    expect(postedOf({})).toBe(false)
    expect(postedOf({ posted: true })).toBe(true)
    expect(postedOf({ record: { ...done, postedIn: 'u2' } })).toBe(true)
  })

  it('runs here while this tab says so, also before the row arrived', () => {
    for (const rec of [undefined, record()])
      expect(deriveCallState(facts({ record: rec, live: live(), runner: 'free' }))).toMatchObject({
        status: 'executing',
        here: true,
        startedAt: 40,
        attempt: 1,
      })
  })

  it('is queued until its turn', () => {
    expect(deriveCallState(facts({ live: live({ queued: true }) })).status).toBe('queued')
  })

  it('waits again if the decision failed', () => {
    expect(deriveCallState(facts({ live: live({ problem: 'offline' }) })).status).toBe('awaiting_approval')
  })

  it('shows an outcome that is not stored yet, and never as posted', () => {
    const state = deriveCallState(
      facts({ record: record(), live: live({ outcome: outcome('completed') }), posted: true }),
    )
    expect(state).toMatchObject({ status: 'completed', posted: false })
  })

  it('leaves a stopped call to the user until it is settled', () => {
    const state = deriveCallState(facts({ record: record(), live: live({ outcome: outcome('cancelled') }) }))
    expect(state).toMatchObject({ status: 'cancelled', settled: false, attempt: 1 })
  })

  it('runs elsewhere while a lock is held or unknown, and is interrupted once it is free', () => {
    expect(deriveCallState(facts({ record: record(), runner: 'held' }))).toMatchObject({
      status: 'executing',
      here: false,
    })
    expect(deriveCallState(facts({ record: record(), runner: 'unknown' }))).toMatchObject({
      status: 'executing',
      here: false,
    })
    expect(deriveCallState(facts({ record: record(), runner: 'free' }))).toEqual({
      status: 'interrupted',
      attempt: 1,
      settled: false,
      posted: false,
    })
  })

  it('prefers a newer attempt of another tab to what this tab remembers', () => {
    const stale = live({ outcome: outcome('cancelled') })
    expect(deriveCallState(facts({ record: record({ attempt: 2 }), live: stale, runner: 'held' }))).toMatchObject({
      status: 'executing',
      here: false,
      attempt: 2,
    })
  })

  it('tells a call of an unknown tool from one that can’t run for other reasons', () => {
    expect(deriveCallState(facts({ runnable: false, unknownTool: true, posted: true }))).toEqual({
      status: 'not_found',
      posted: true,
    })
  })

  it('still shows the decision if the tool was switched off since', () => {
    const done = record({ outcome: outcome('completed') })
    expect(deriveCallState(facts({ runnable: false, record: done })).status).toBe('completed')
  })

  it('waits for review of a gated result until it is released, and shows how it was', () => {
    const gated = record({ outcome: outcome('error'), gated: true })
    expect(deriveCallState(facts({ record: gated }))).toMatchObject({ status: 'awaiting_result_approval', attempt: 1 })
    const sent = { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 9 } as const
    expect(deriveCallState(facts({ record: { ...gated, release: sent } }))).toMatchObject({
      status: 'error',
      release: sent,
      posted: false,
    })
    const kept = { kind: 'withheld', by: { kind: 'click' }, note: 'private', releasedAt: 9 } as const
    expect(deriveCallState(facts({ record: { ...gated, release: kept }, posted: true }))).toMatchObject({
      status: 'result_rejected',
      note: 'private',
      posted: true,
    })
  })

  it('waits for its turn once it is granted, as long as this tab says so', () => {
    const waiting = facts({ record: record(), live: live({ waitsForTurn: true }) })
    expect(deriveCallState(waiting)).toMatchObject({ status: 'executing', here: true, waitsForTurn: true })
    const begun = facts({ record: record(), live: live({ waitsForTurn: false }) })
    expect(deriveCallState(begun)).not.toHaveProperty('waitsForTurn')
  })

  it('is queued for another attempt, whatever the last one’s outcome', () => {
    const state = deriveCallState(facts({ record: record(), live: live({ attempt: 2, queued: true }) }))
    expect(state).toMatchObject({ status: 'queued', before: { status: 'interrupted', attempt: 1 } })
  })
})
