import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { indexedAs, matchesOfTerms, termsOf, wordsOf } from './search-words'

/** Like an index: every word that a term needs is among those of the text. */
function isIndexed(text: string, query: string): boolean {
  const words = [...wordsOf(text)]
  return termsOf(query)
    .map(indexedAs)
    .every(
      ({ whole, begins }) =>
        whole.every((word) => words.includes(word)) &&
        (begins === null || words.some((word) => word.startsWith(begins))),
    )
}

describe('words that are searched', () => {
  it.each([
    ['量子纠缠 Café', ['量子', '子纠', '纠缠', '缠', 'cafe']],
    ['GPT4模型', ['gpt4', '模型', '型']],
    ['ＡＰＩ ﬁle don’t', ['api', 'file', 'don', 't']],
    ['{"path":"a.txt\\nnew"}', ['path', 'a', 'txt', 'new']],
    ['カメラ', ['カメ', 'メラ', 'ラ']],
    ['… — 🙂', []],
  ])('of %s', (text, words) => {
    expect([...wordsOf(text)]).toEqual(words)
  })

  it('find every piece of a text that is typed from the beginning of a word on', () => {
    const letter = fc.constantFrom(...'abÉ漢字量子カのñ9ßİ한국 .-_\n'.split(''), '𠀀', 'ﬃ')
    const text = fc.array(letter, { maxLength: 40 }).map((all) => all.join(''))
    let tried = 0
    fc.assert(
      fc.property(text, fc.nat(), fc.nat({ max: 12 }), (all, at, length) => {
        const chars = Array.from(all)
        const starts = chars.flatMap((char, n) =>
          n === 0 || !/[\p{L}\p{N}\p{M}]/u.test(chars[n - 1] ?? '') || /\p{scx=Han}/u.test(char) ? [n] : [],
        )
        const from = starts[at % Math.max(1, starts.length)] ?? 0
        const query = chars.slice(from, from + length).join('')
        const terms = termsOf(query)
        if (terms.length === 0) return
        tried += 1
        expect(isIndexed(all, query)).toBe(true)
        const places = matchesOfTerms(all, terms)
        expect(new Set(places.map(({ term }) => term)).size).toBe(terms.length)
      }),
    )
    expect(tried).toBeGreaterThan(20)
  })

  it('return existing positions, in the order of the text, for any text', () => {
    fc.assert(
      fc.property(anyText(), anyText({ maxLength: 8 }), (text, query) => {
        const places = matchesOfTerms(text, termsOf(query))
        for (const { from, to } of places) expect(0 <= from && from < to && to <= text.length).toBe(true)
        expect(places.map(({ from }) => from)).toEqual(places.map(({ from }) => from).toSorted((a, b) => a - b))
      }),
    )
  })

  it('are only letters and digits, so that neither database interprets them', () => {
    const letters = /^[\p{L}\p{N}\p{M}\ufffd]+$/u
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(letters)
      }),
    )
    // Some of these become several characters: ½, ⑴, ŀ.
    const folded = Array.from({ length: 0x110000 }, (_, at) => String.fromCodePoint(at)).filter(
      (char) => char.normalize('NFKC') !== char,
    )
    expect(folded.flatMap((char) => [...wordsOf(char)]).filter((word) => !letters.test(word))).toEqual([])
  })

  it('stay within PostgreSQL’s limit per message', () => {
    const long = Array.from({ length: 100_000 }, (_, at) => String.fromCodePoint(0x4e00 + (at % 20_000))).join('')
    const bytes = [...wordsOf(long)].reduce((sum, word) => sum + Buffer.byteLength(word) + 4, 0)
    expect(bytes).toBeLessThan(1_000_000)
  })
})
