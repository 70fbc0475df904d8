import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from './token-estimate'

/**
 * Texts that were not used to fit the rule, with their tokens by o200k (`gpt-tokenizer` 4.0.0, `countTokens` of
 * `encoding/o200k_base`).
 */
const heldOut = {
  'prose-letter': 312,
  'prose-report': 268,
  'code-python': 429,
  'code-react': 441,
  'code-sql-shell': 372,
  'json-files': 307,
  'json-weather': 457,
  'csv-sales': 505,
  'csv-sensors': 506,
  'chinese-travel': 342,
  'chinese-technical': 311,
  'chinese-markdown': 258,
} as const

const textOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../testing/token-texts', `${name}.txt`), 'utf8')

describe('the estimate of tokens', () => {
  it.each(Object.entries(heldOut))('is within 15 %% of the tokens of %s', (name, tokens) => {
    expect(Math.abs(estimateTokens(textOf(name)) / tokens - 1)).toBeLessThan(0.15)
  })

  it('is within 5 % for all of them together', () => {
    const all = Object.values(heldOut).reduce((sum, tokens) => sum + tokens, 0)
    const estimated = Object.keys(heldOut).reduce((sum, name) => sum + estimateTokens(textOf(name)), 0)
    expect(Math.abs(estimated / all - 1)).toBeLessThan(0.05)
  })

  it('is zero for an empty text, and never lower for a longer text', () => {
    expect(estimateTokens('')).toBe(0)
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const both = estimateTokens(`${one}\n${other}`)
        expect(Number.isFinite(both)).toBe(true)
        expect(both).toBeGreaterThanOrEqual(estimateTokens(one))
        // Parts that are counted separately differ from the whole by rounding and by the seam.
        expect(Math.abs(both - estimateTokens(one) - estimateTokens(other))).toBeLessThanOrEqual(5)
      }),
      { numRuns: 200 },
    )
  })

  it('counts repeated text once per piece, however long it is', () => {
    expect(estimateTokens('的'.repeat(1_000))).toBeGreaterThan(500)
    expect(estimateTokens(' '.repeat(1_000))).toBeLessThan(3)
    expect(estimateTokens('1'.repeat(999))).toBeGreaterThan(333)
  })
})
