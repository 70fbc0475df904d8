import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallOutcome, ResultRelease } from '@/lib/shared/conversation/call-record'
import { reduceCall, unread, type CallEvent } from './call-life'
import type { CallState } from './call-state'

const outcome = (status: CallOutcome['status'], mark: number): CallOutcome => ({
  status,
  result: mark,
  durationMs: 1,
  console: [],
  displays: [],
})

const attempt = fc.integer({ min: 1, max: 3 })
const ranTo = fc
  .tuple(fc.constantFrom('completed', 'error', 'cancelled', 'interrupted', 'not_found'), fc.nat({ max: 999 }))
  .map(([status, mark]) => outcome(status, mark))
const release: fc.Arbitrary<ResultRelease> = fc.oneof(
  fc.constant<ResultRelease>({ kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 1 }),
  fc.constant<ResultRelease>({
    kind: 'changed',
    by: { kind: 'click' },
    result: 'cut',
    changes: ['trimmed'],
    note: '',
    releasedAt: 2,
  }),
  fc.constant<ResultRelease>({ kind: 'withheld', by: { kind: 'click' }, note: 'mine', releasedAt: 3 }),
)
const runnability = fc.constantFrom('runnable', 'runnable', 'runnable', 'unknown-tool', 'not-runnable')

/** Any event at any time, in any order: also impossible, forged, or repeated ones. */
const event: fc.Arbitrary<CallEvent> = fc.oneof(
  fc.record({
    type: fc.constant('reply-ended'),
    outcome: fc.constantFrom('finished', 'finished', 'finished', 'stopped'),
    runnability,
  }),
  fc.record({ type: fc.constant('call-read-again'), runnability }),
  fc.constantFrom<CallEvent>(
    { type: 'call-queued' },
    { type: 'call-dequeued' },
    { type: 'run-refused' },
    { type: 'call-skipped' },
    { type: 'results-posted' },
    { type: 'chat-went-on' },
    { type: 'call-denied', reason: 'no' },
  ),
  fc.record({ type: fc.constant('run-asked'), attempt, at: fc.constant(1) }),
  fc.record({ type: fc.constant('run-granted'), attempt, at: fc.constant(2), here: fc.boolean() }),
  fc.record({ type: fc.constant('run-granted'), attempt, at: fc.constant(2), here: fc.boolean() }),
  fc.record({ type: fc.constant('runner-lost'), attempt }),
  fc.record({ type: fc.constant('run-stopped'), attempt, outcome: fc.constant(null) }),
  fc.record({ type: fc.constant('run-ended'), attempt, outcome: ranTo }),
  fc.record({ type: fc.constant('outcome-stored'), attempt, outcome: ranTo, gated: fc.boolean() }),
  fc.record({ type: fc.constant('outcome-stored'), attempt, outcome: ranTo, gated: fc.boolean() }),
  fc.record({ type: fc.constant('result-released'), release }),
)
const life = fc.array(event, { maxLength: 40, size: 'max' }).map((events): readonly CallEvent[] => [
  // Most lives begin like this; the rest of the sequence is free.
  ...(events.length % 4 === 0 ? [] : [{ type: 'reply-ended', outcome: 'finished', runnability: 'runnable' } as const]),
  ...events,
])

const isRunning = (state: CallState) => state.status === 'executing' && !state.asking
const isPosted = (state: CallState) => 'posted' in state && state.posted

/** What an outside observer knows, kept apart from the reducer: which calls ran, what was decided, stored and sent. */
function observe(events: readonly CallEvent[]) {
  let state: CallState = unread
  const runs: number[] = []
  let refused = false
  let storedMark: unknown
  let ungated = true
  let said: ResultRelease | null = null
  let sent: unknown
  for (const one of events) {
    const next = reduceCall(state, one)
    if (one.type === 'run-granted' && next !== state && isRunning(next)) {
      expect(refused, 'runs after a no').toBe(false)
      expect(storedMark, 'runs after its outcome').toBeUndefined()
      runs.push(one.attempt)
    }
    if (next.status === 'execution_rejected' || next.status === 'skipped') refused = true
    if (one.type === 'outcome-stored' && next !== state) {
      expect(runs, 'an outcome of an attempt that ran').toContain(one.attempt)
      expect(storedMark, 'an outcome is never replaced').toBeUndefined()
      storedMark = one.outcome.result
      ungated = !one.gated
    }
    if (one.type === 'result-released' && next !== state) {
      expect(said === null || said.kind === 'withheld', 'the first word stands').toBe(true)
      said = one.release
    }
    if (!isPosted(state) && isPosted(next)) {
      expect(one.type, 'only posting posts').toBe('results-posted')
      if (storedMark !== undefined) {
        expect(ungated || said !== null, 'nothing unreleased is sent').toBe(true)
        sent = ungated || said?.kind === 'sent' ? storedMark : said?.kind === 'changed' ? said.result : undefined
        if (said?.kind === 'withheld') expect(next.status, 'what was kept is sent as kept').toBe('result_rejected')
      }
    }
    if (isPosted(state)) expect(next, 'what was sent stays').toBe(state)
    // A stored outcome is always available.
    if (storedMark !== undefined && 'outcome' in next && typeof next.outcome === 'object' && next.outcome) {
      expect(next.outcome.result).toBe(storedMark)
    }
    state = next
  }
  return { state, runs, storedMark, sent }
}

describe('reduceCall', () => {
  it('runs no attempt twice and none after a denial, sends nothing unreleased and loses no result', () => {
    fc.assert(
      fc.property(life, (events) => {
        const { state, runs, storedMark } = observe(events)
        expect(new Set(runs).size, 'each attempt once').toBe(runs.length)
        expect(
          runs.every((at, index) => index === 0 || at > (runs[index - 1] ?? 0)),
          'attempts count up',
        ).toBe(true)
        if (storedMark !== undefined) {
          expect([
            'completed',
            'error',
            'cancelled',
            'interrupted',
            'awaiting_result_approval',
            'result_rejected',
          ]).toContain(state.status)
        }
      }),
      { numRuns: 20_000 },
    )
  }, 60_000)

  it('reaches every state, so that the property above is not empty', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(life, (events) => {
        let state: CallState = unread
        for (const one of events) {
          state = reduceCall(state, one)
          seen.add(`${state.status}${isPosted(state) ? ' posted' : ''}`)
        }
      }),
      { numRuns: 20_000, seed: 4 },
    )
    const unposted = 'pending not_offered awaiting_approval queued executing awaiting_result_approval skipped'
    const either = 'completed error result_rejected cancelled execution_rejected interrupted not_found not_runnable'
    const all = [...unposted.split(' '), ...either.split(' ').flatMap((status) => [status, `${status} posted`])]
    expect([...seen].toSorted()).toEqual(all.toSorted())
  }, 60_000)

  const through = (...events: readonly CallEvent[]) => events.reduce(reduceCall, unread)
  const ready: CallEvent = { type: 'reply-ended', outcome: 'finished', runnability: 'runnable' }
  const grant = (at: number): CallEvent => ({ type: 'run-granted', attempt: at, at: 5, here: true })

  it('waits again if the server refuses, and returns to its earlier state if taken out of the queue', () => {
    const asked: CallEvent = { type: 'run-asked', attempt: 1, at: 1 }
    expect(through(ready, { type: 'call-queued' }, asked).status).toBe('executing')
    expect(through(ready, { type: 'call-queued' }, asked, { type: 'run-refused' }).status).toBe('awaiting_approval')
    const stopped: CallEvent = { type: 'run-ended', attempt: 1, outcome: outcome('cancelled', 7) }
    expect(through(ready, grant(1), stopped, { type: 'call-queued' }, { type: 'call-dequeued' })).toMatchObject({
      status: 'cancelled',
      outcome: { result: 7 },
    })
  })

  it('does not send an outcome that is only in this tab', () => {
    const done: CallEvent = { type: 'run-ended', attempt: 1, outcome: outcome('completed', 7) }
    expect(through(ready, grant(1), done, { type: 'results-posted' })).toMatchObject({ posted: false })
    const stored: CallEvent = { type: 'outcome-stored', attempt: 1, outcome: outcome('completed', 7), gated: false }
    expect(through(ready, grant(1), done, stored, { type: 'results-posted' })).toMatchObject({ posted: true })
  })

  it('releases a withheld result later, until it was posted', () => {
    const stored: CallEvent = { type: 'outcome-stored', attempt: 1, outcome: outcome('completed', 7), gated: true }
    const keep: CallEvent = {
      type: 'result-released',
      release: { kind: 'withheld', by: { kind: 'click' }, note: '', releasedAt: 1 },
    }
    const send: CallEvent = {
      type: 'result-released',
      release: { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 2 },
    }
    expect(through(ready, grant(1), stored, { type: 'results-posted' }).status).toBe('awaiting_result_approval')
    expect(through(ready, grant(1), stored, keep, send).status).toBe('completed')
    expect(through(ready, grant(1), stored, send, keep).status).toBe('completed')
    expect(through(ready, grant(1), stored, keep, { type: 'results-posted' }, send).status).toBe('result_rejected')
  })

  it('follows an amendment until the call is decided', () => {
    const mended: CallEvent = { type: 'call-read-again', runnability: 'runnable' }
    const unknown: CallEvent = { type: 'reply-ended', outcome: 'finished', runnability: 'unknown-tool' }
    expect(through(unknown).status).toBe('not_found')
    expect(through(unknown, mended).status).toBe('awaiting_approval')
    expect(through(unknown, mended, grant(1), { type: 'call-read-again', runnability: 'not-runnable' }).status).toBe(
      'executing',
    )
  })
})
