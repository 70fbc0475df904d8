import { expect, it } from 'vitest'
import type { ReplyOutcome } from '@/lib/shared/conversation/conversation'
import { outcomeOf, replyStatusOf } from './message-scope'

/** Typed by the union: an outcome without a line does not compile. */
const statuses: Readonly<Record<ReplyOutcome | 'none', ReturnType<typeof replyStatusOf>>> = {
  none: { type: 'running' },
  finished: { type: 'complete', reason: 'stop' },
  stopped: { type: 'incomplete', reason: 'cancelled' },
  length: { type: 'incomplete', reason: 'length' },
  failed: { type: 'incomplete', reason: 'error', error: 'It broke.' },
  interrupted: { type: 'incomplete', reason: 'other' },
}
const outcomes = Object.keys(statuses) as (keyof typeof statuses)[]

it.each(outcomes)(
  'a reply whose stored outcome is %s has a status of its own, and the outcome is read back from it',
  (name) => {
    const outcome = name === 'none' ? null : name
    const failure = outcome === 'failed' ? ({ code: 'unreachable', message: 'It broke.', detail: '' } as const) : null
    const status = replyStatusOf({ outcome, failure })
    expect(status).toEqual(statuses[name])
    expect(outcomeOf(status)).toBe(outcome)
    expect(status.type === 'complete').toBe(outcome === 'finished')
  },
)

it('no two outcomes share a status', () => {
  const said = outcomes.map((name) =>
    JSON.stringify(replyStatusOf({ outcome: name === 'none' ? null : name, failure: null })),
  )
  expect(new Set(said).size).toBe(outcomes.length)
})

it('a status that is not ours lets nothing run', () => {
  for (const reason of ['content-filter', 'tool-calls'] as const)
    expect(outcomeOf({ type: 'incomplete', reason })).toBe('interrupted')
  expect(outcomeOf({ type: 'requires-action', reason: 'interrupt' })).toBe('interrupted')
})
