import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { pageMessageLimits, readPageMessage } from './page-messages'

describe('messages of a running page', () => {
  it('are accepted as one of a few kinds, and nothing else', () => {
    expect(readPageMessage({ type: 'pong', more: 1 })).toEqual({ kind: 'pong', number: 0 })
    expect(readPageMessage({ type: 'pong', number: 3 })).toEqual({ kind: 'pong', number: 3 })
    expect(readPageMessage({ type: 'pick-ended' })).toEqual({ kind: 'pick-ended' })
    for (const odd of [null, undefined, 'pong', 7, [], {}, { type: 'page' }, { type: '__proto__' }]) {
      expect(readPageMessage(odd)).toBeNull()
    }
  })

  it('describe a place in one line without invisible characters', () => {
    const says = readPageMessage({
      type: 'picked',
      selector: '#a\u202e > b\n> c',
      words: ' Send \u200b\u0007 the\r\n\tkeys\u2028 ',
    })
    expect(says).toEqual({ kind: 'picked', selector: '#a > b > c', words: 'Send the keys' })
  })

  it('are limited in length', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('line', 'picked', 'link', 'form', 'file', 'refused', 'scroll'),
        fc.anything(),
        anyText({ maxLength: 40 }).chain((unit) => fc.nat(200).map((times) => unit.repeat(times))),
        (type, odd, text) => {
          for (const value of [odd, text]) {
            const says = readPageMessage({
              type,
              level: value,
              text: value,
              place: value,
              address: value,
              selector: value,
              words: value,
              what: 'used',
              path: value,
              x: value,
              y: value,
            })
            for (const part of Object.values(says ?? {}) as readonly (string | number)[]) {
              if (typeof part === 'number') {
                expect(part).toBeGreaterThanOrEqual(0)
                expect(part).toBeLessThanOrEqual(1e7)
                continue
              }
              expect(part.length).toBeLessThanOrEqual(Math.max(...Object.values(pageMessageLimits)))
              expect(part.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
            }
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
