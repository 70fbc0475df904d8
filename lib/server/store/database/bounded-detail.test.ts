import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { boundedDetail } from './bounded-detail'

const long = 'x'.repeat(20_000)

describe('the detail of a log entry', () => {
  it('is unchanged while it is small', () => {
    const detail = { attempt: 1, asked: { name: 'write_file', arguments: { path: '/a', content: 'x'.repeat(16_000) } } }
    expect(boundedDetail(detail)).toEqual(detail)
  })

  it('replaces large values by their size and hash, and keeps the rest', () => {
    const detail = { asked: { name: 'write_file', arguments: { path: '/a', content: long } } }
    const sha256 = createHash('sha256').update(JSON.stringify(long)).digest('hex')
    expect(boundedDetail(detail)).toEqual({
      asked: { name: 'write_file', arguments: { path: '/a', content: { omitted: { bytes: 20_002, sha256 } } } },
    })
  })

  it('never exceeds its limit, whatever it contains', () => {
    const value = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.integer({ min: 0, max: 30_000 }).map((length) => 'ü'.repeat(length)),
        fc.integer(),
        fc.array(tie('value'), { maxLength: 6 }),
        fc.dictionary(fc.string({ maxLength: 8 }), tie('value'), { maxKeys: 6 }),
      ),
    })).value
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 8 }), value, { maxKeys: 8 }), (detail) => {
        const stored = boundedDetail(detail as JsonObject)
        expect(JSON.stringify(stored).length).toBeLessThanOrEqual(64 * 1024)
      }),
      { numRuns: 60 },
    )
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))
    expect(JSON.stringify(boundedDetail(many)).length).toBeLessThan(200)
    expect(JSON.stringify(boundedDetail({ many })).length).toBeLessThan(200)
  })
})
