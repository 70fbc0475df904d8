import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf, cutSnippet } from './search-words'

const marked = (text: string, query: string): string | null =>
  cutSnippet(text, termsOf(query))
    ?.map((part) => (part.hit ? `[${part.text}]` : part.text))
    .join('') ?? null

describe('a snippet', () => {
  it('is the piece with the matches, on one line', () => {
    const text = `${'before '.repeat(30)}the first  otter\nand the second otter${' after'.repeat(40)}`
    expect(marked(text, 'otter second')).toMatch(
      /^…(?:before )+the first \[otter\] and the \[second\] \[otter\] after .*…$/,
    )
    expect(marked('短文里的量子纠缠。', '纠缠')).toBe('短文里的量子[纠缠]。')
    expect(marked('Café', 'cafe')).toBe('[Café]')
  })

  it('is where most of the words are close together', () => {
    const text = `alpha ${'x '.repeat(200)}beta alpha gamma`
    expect(marked(text, 'alpha beta gamma')).toMatch(/\[beta\] \[alpha\] \[gamma\]$/)
  })

  it('is none if a word is missing', () => {
    expect(marked('an otter', 'otter badger')).toBeNull()
    expect(marked('量子和纠缠', '量子纠缠')).toBeNull()
    expect(marked('anything', '…')).toBeNull()
  })

  it('is short, has whole characters, and keeps the text’s own words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.nat(), (text, at) => {
        const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
        const query = words[at % Math.max(1, words.length)] ?? ''
        const parts = cutSnippet(text, termsOf(query))
        if (!parts) return
        const all = parts.map((part) => part.text).join('')
        expect(all.length).toBeLessThan(Math.max(220, query.length + 220))
        expect(all.isWellFormed()).toBe(text.isWellFormed() || all.isWellFormed())
        expect(parts.some(({ hit }) => hit)).toBe(true)
      }),
    )
  })
})
