import { expect, test } from 'vitest'
import type { MessagePart } from '@/lib/client/state/parsed-reply'
import { timedReasoning } from '../tool-call-renderer'

const parts: readonly MessagePart[] = [
  { kind: 'reasoning', start: 0, text: 'a' },
  { kind: 'text', start: 9, text: 'b' },
  { kind: 'reasoning', start: 19, text: 'c' },
]

test('each thought has its time; separate reasoning is the first', () => {
  const timed = timedReasoning({ reasoning: 'hm', thoughtMs: [4_000, 100, 200] }, parts)
  expect(timed.apartMs).toBe(4_000)
  expect(timed.parts.map((part) => (part.kind === 'reasoning' ? part.ms : null))).toEqual([100, null, 200])
  expect(timedReasoning({ reasoning: '', thoughtMs: [1, 2] }, parts).parts[2]).toMatchObject({ ms: 2 })
})

test('shows no times if they don’t match the thoughts', () => {
  expect(timedReasoning({ reasoning: 'hm', thoughtMs: [1, 2] }, parts)).toEqual({ parts, apartMs: null })
  expect(timedReasoning({ reasoning: 'hm' }, parts)).toEqual({ parts, apartMs: null })
})
