import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitWindow, type TurnSize } from './fit-window'

const word = (tokens: number): TurnSize => ({ tokens, kind: 'word', says: true })
const reply = (tokens: number): TurnSize => ({ tokens, kind: 'reply', says: false })
const results = (tokens: number, says = false): TurnSize => ({ tokens, kind: 'results', says })

/** Realistic branches: user text and replies in turn, some replies answered by results, some of those with text. */
const anyBranch = fc
  .array(
    fc.record({
      word: fc.integer({ min: 1, max: 40 }),
      rounds: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }),
      says: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts.flatMap(({ word: own, rounds, says }, at) => {
      const turns = [word(own), ...rounds.flatMap((size, n) => [reply(size), results(size, says && n === 1)])]
      // The branch ends with the message to answer.
      return at < parts.length - 1 ? [...turns, reply(own)] : turns
    }),
  )

describe('fitting a branch into a window', () => {
  it('sends everything that fits', () => {
    expect(fitWindow([word(5), reply(5), word(5)], 0, 15)).toEqual({ anchor: null, from: 0, tokens: 15, fits: true })
  })

  it('leaves out the oldest, and begins with a user message that contains no results', () => {
    const turns = [word(5), reply(5), results(5), reply(5), word(5), reply(5), word(5)]
    expect(fitWindow(turns, 0, 15)).toMatchObject({ anchor: null, from: 4, tokens: 15 })
    expect(fitWindow(turns, 0, 30)).toMatchObject({ from: 4 })
  })

  it('keeps the user’s message if rounds of calls fill the window, and the newest rounds', () => {
    const turns = [word(5), reply(5), word(5), ...Array.from({ length: 8 }, () => [reply(10), results(10)]).flat()]
    const fit = fitWindow(turns, 0, 50)
    expect(fit).toMatchObject({ anchor: 2, fits: true })
    expect(turns[fit.from]?.kind).toBe('reply')
    expect(fit.tokens).toBeLessThanOrEqual(50)
  })

  it('says if the required part does not fit, and sends it anyway', () => {
    expect(fitWindow([word(5), reply(5), word(50)], 0, 20)).toEqual({ anchor: 2, from: 3, tokens: 50, fits: false })
    const chain = [word(5), reply(50), results(50)]
    expect(fitWindow(chain, 0, 20)).toEqual({ anchor: 0, from: 1, tokens: 105, fits: false })
  })

  it('keeps a message that came with results, with the reply of those results', () => {
    const turns = [word(5), reply(5), results(5), reply(5), results(5, true), reply(5), results(5)]
    expect(fitWindow(turns, 0, 26)).toMatchObject({ anchor: 0, from: 3, tokens: 25, fits: true })
    expect(fitWindow(turns, 0, 20)).toMatchObject({ anchor: 0, from: 3, fits: false })
  })

  it('keeps its guarantees on any branch, also if the beginning was not read', () => {
    fc.assert(
      fc.property(anyBranch, fc.integer({ min: 1, max: 900 }), fc.nat({ max: 300 }), (turns, room, half) => {
        const { anchor, from, tokens, fits } = fitWindow(turns, half * 2, room)
        const sent = turns.flatMap((turn, at) => (at === anchor || at >= from ? [{ ...turn, at }] : []))
        expect(tokens).toBe(sent.reduce((sum, turn) => sum + turn.tokens, 0))
        if (fits) expect(tokens).toBeLessThanOrEqual(room)
        // The message to answer is sent, and the user's last one; the first is a user message, and roles alternate.
        expect(sent.at(-1)?.at).toBe(turns.length - 1)
        expect(sent.some(({ at }) => at === turns.findLastIndex(({ says }) => says))).toBe(true)
        expect(sent[0]?.kind).toBe('word')
        for (const [n, { kind, at }] of sent.entries()) {
          if (n > 0) expect(kind === 'reply').toBe(sent[n - 1]?.kind !== 'reply')
          if (kind === 'results') expect(sent[n - 1]?.at).toBe(at - 1)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('moves its cut in leaps while a chat grows, and fills more than half of the window', () => {
    const turns: TurnSize[] = []
    const cuts: number[] = []
    for (let n = 0; n < 2_000; n += 1) {
      turns.push(word(50), reply(50))
      const fit = fitWindow([...turns, word(50)], 0, 8_000)
      cuts.push(fit.from)
      if (n > 100) expect(fit.tokens).toBeGreaterThan(8_000 * 0.49)
    }
    const moves = cuts.filter((cut, at) => at > 0 && cut !== cuts[at - 1]).length
    expect(moves).toBeLessThan(80)
    expect(cuts.at(-1)).toBeGreaterThan(3_800)
  })
})
