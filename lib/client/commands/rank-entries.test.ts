import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankEntries, foldText, matchScore, searchTermsOf } from './rank-entries'

type Group = 'acts' | 'chats'
const most = { acts: 3, chats: 2 }
const entry = (group: Group, name: string, also = '', found?: true) => ({
  name,
  group,
  text: foldText(name),
  also: foldText(also),
  ...(found && { found }),
})
const names = (typed: string, entries: Parameters<typeof rankEntries<Group, ReturnType<typeof entry>>>[0]) =>
  rankEntries(entries, typed, most).map(({ group, entries: rows, more }) => [group, rows.map(({ name }) => name), more])

describe('rankEntries', () => {
  it('puts entries that begin with the text first, in groups with the best first', () => {
    const entries = [
      entry('acts', 'Open the workspace'),
      entry('acts', 'New chat', 'begin'),
      entry('chats', 'A chat about chess'),
      entry('chats', 'Chess openings'),
    ]
    expect(names('chess', entries)).toEqual([['chats', ['Chess openings', 'A chat about chess'], 0]])
    expect(names('new', entries)).toEqual([['acts', ['New chat'], 0]])
    expect(names('nc', entries)).toEqual([['acts', ['New chat'], 0]])
    expect(names('begin', entries)).toEqual([['acts', ['New chat'], 0]])
    expect(names('chat begin', entries)).toEqual([['acts', ['New chat'], 0]])
    expect(names('nothing of it', entries)).toEqual([])
  })

  it('finds Chinese anywhere, wide letters as narrow ones, and counts hidden matches', () => {
    const entries = ['旅行计划', '关于旅行的问题', '去旅行'].map((name) => entry('chats', name))
    expect(names('旅行', entries)).toEqual([['chats', ['旅行计划', '去旅行'], 1]])
    expect(names('ＮＥＷ', [entry('acts', 'New chat')])).toEqual([['acts', ['New chat'], 0]])
  })

  it('keeps the order if nothing is typed, and puts results found elsewhere last', () => {
    const entries = [entry('acts', 'b'), entry('acts', 'a'), entry('chats', 'said in passing', '', true)]
    expect(names('', entries)).toEqual([
      ['acts', ['b', 'a'], 0],
      ['chats', ['said in passing'], 0],
    ])
    expect(names('a', entries)).toEqual([
      ['acts', ['a'], 0],
      ['chats', ['said in passing'], 0],
    ])
  })

  it('shows only entries with every word, or their initials, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '旅', '.', ' ', 'É'), maxLength: 6 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), word, (texts, typed) => {
        const entries = texts.map((text) => entry('acts', text))
        const [group] = rankEntries(entries, typed, most)
        const words = searchTermsOf(typed)
        const fitting = entries.filter(({ text }) => words.length === 0 || matchScore(text, words) > 0)
        expect((group?.entries.length ?? 0) + (group?.more ?? 0)).toBe(fitting.length)
        expect(group?.entries.length ?? 0).toBeLessThanOrEqual(most.acts)
        for (const { text } of entries)
          if (words.every((one) => text.includes(one)))
            expect(words.length === 0 || matchScore(text, words) > 0).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
