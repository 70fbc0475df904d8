import { describe, expect, it } from 'vitest'
import type { CallRecord, ResultRelease } from '@/lib/shared/conversation/call-record'
import { callRow } from '@/lib/client/chats/testing/rows'
import { newerRecord } from './call-state'

const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] } as const
const kept: ResultRelease = { kind: 'withheld', by: { kind: 'click' }, note: '', releasedAt: 9 }
const sent: ResultRelease = { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: 5 }

/** Each later than the previous one. */
const life: readonly CallRecord[] = [
  callRow('m', 0),
  callRow('m', 0, { attempt: 2 }),
  callRow('m', 0, { attempt: 2, outcome, gated: true }),
  callRow('m', 0, { attempt: 2, outcome, gated: true, release: kept }),
  callRow('m', 0, { attempt: 2, outcome, gated: true, release: sent }),
  callRow('m', 0, { attempt: 2, outcome, gated: true, release: sent, postedIn: 'u2' }),
]

describe('newerRecord', () => {
  it('recognizes the later of any two steps of a call’s life, in either order', () => {
    for (const [index, late] of life.entries()) {
      for (const early of life.slice(0, index)) {
        expect(newerRecord(early, late)).toBe(late)
        expect(newerRecord(late, early)).toBe(late)
      }
    }
  })
})
