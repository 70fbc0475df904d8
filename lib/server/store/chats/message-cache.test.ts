import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message } from '@/lib/shared/conversation/conversation'
import { createMessageCache } from './branch-queries'
import { testUserMessage } from '../testing/rows'

test('returns what was stored with the same stamp and no other, and never exceeds its limit', () => {
  const key = fc.record({
    owner: fc.constantFrom('ada', 'eve'),
    conversationId: fc.constantFrom('c', 'd'),
    id: fc.constantFrom('u1', 'u2'),
    stamp: fc.constantFrom('s', 't'),
  })
  const kept = fc.array(fc.record({ key, chars: fc.nat({ max: 2_000 }), looks: fc.boolean() }), {
    minLength: 10,
    maxLength: 60,
  })
  let hits = 0
  fc.assert(
    fc.property(kept, (steps) => {
      const cache = createMessageCache(12_000)
      const truth = new Map<string, Message>()
      for (const { key: at, chars, looks } of steps) {
        const name = JSON.stringify(at)
        const found = cache.get(at)
        if (found) {
          hits += 1
          expect(found).toBe(truth.get(name))
        }
        if (looks) continue
        const message = truth.get(name) ?? testUserMessage(at.conversationId, at.id)
        truth.set(name, message)
        cache.keep(at, message, chars)
        expect(cache.bytes).toBeLessThanOrEqual(12_000)
        if (chars < 500) expect(cache.get(at)).toBe(message)
      }
    }),
  )
  expect(hits).toBeGreaterThan(5)
})

test('drops the least recently used first', () => {
  const cache = createMessageCache(10_000)
  const key = (id: string) => ({ owner: 'ada', conversationId: 'c', id, stamp: 's' })
  for (const id of ['a', 'b', 'c']) cache.keep(key(id), testUserMessage('c', id), 700)
  expect(cache.get(key('a'))).toBeDefined()
  cache.keep(key('d'), testUserMessage('c', 'd'), 700)
  cache.keep(key('e'), testUserMessage('c', 'e'), 700)
  expect(['a', 'b', 'c', 'd', 'e'].filter((id) => cache.get(key(id)))).toEqual(['a', 'c', 'd', 'e'])
})
