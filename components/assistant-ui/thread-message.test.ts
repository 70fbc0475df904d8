import { expect, it } from 'vitest'
import type { ReplyOutcome } from '@/lib/shared/conversation/conversation'
import { outcomeOf, replyStatusOf } from './message-scope'

/** Typed by the union, so that a missing outcome does not compile. */
const statuses: Readonly<Record<ReplyOutcome | 'none', ReturnType<typeof replyStatusOf>>> = {
  none: { type: 'running' },
  finished: { type: 'complete', reason: 'stop' },
  stopped: { type: 'incomplete', reason: 'cancelled' },
  length: { type: 'incomplete', reason: 'length' },
  failed: { type: 'incomplete', reason: 'error', error: 'It broke.' },
  interrupted: { type: 'incomplete', reason: 'other' },
}
const outcomes = Object.keys(statuses) as (keyof typeof statuses)[]

it.each(outcomes)('maps the stored outcome %s to its own status and back', (name) => {
  const outcome = name === 'none' ? null : name
  const failure = outcome === 'failed' ? ({ code: 'unreachable', message: 'It broke.', detail: '' } as const) : null
  const status = replyStatusOf({ outcome, failure })
  expect(status).toEqual(statuses[name])
  expect(outcomeOf(status)).toBe(outcome)
  expect(status.type === 'complete').toBe(outcome === 'finished')
})

it('gives no two outcomes the same status', () => {
  const said = outcomes.map((name) =>
    JSON.stringify(replyStatusOf({ outcome: name === 'none' ? null : name, failure: null })),
  )
  expect(new Set(said).size).toBe(outcomes.length)
})

it('lets nothing run for an unknown status', () => {
  for (const reason of ['content-filter', 'tool-calls'] as const)
    expect(outcomeOf({ type: 'incomplete', reason })).toBe('interrupted')
  expect(outcomeOf({ type: 'requires-action', reason: 'interrupt' })).toBe('interrupted')
})
