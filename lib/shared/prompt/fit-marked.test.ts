import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitWindow, fitMarked, type SizedTurn } from './fit-window'

const kinds = { w: 'word', r: 'reply', t: 'results', s: 'results' } as const

/** `w`: user text, `r`: a reply, `t`: results, `s`: results with text; each of ten tokens, named by its index. */
const branch = (letters: string): SizedTurn[] =>
  letters.split('').map((letter, at) => {
    const kind = kinds[letter as keyof typeof kinds]
    return { id: `m${at}`, tokens: 10, kind, says: letter === 'w' || letter === 's' }
  })

const marks = (through: string, pinned: string[] = [], summary = '') => ({
  compactions: [{ through, summary, madeAt: 1 }],
  pinned,
})

/** Which indexes are sent. */
const sentOf = (turns: readonly SizedTurn[], fit: ReturnType<typeof fitMarked>): number[] => [
  ...[...fit.pinned, ...(fit.anchor === null ? [] : [fit.anchor])].toSorted((a, b) => a - b),
  ...turns.map((_, at) => at).filter((at) => at >= fit.from),
]

const anyBranch = fc
  .array(fc.record({ rounds: fc.nat({ max: 3 }), says: fc.boolean() }), { minLength: 1, maxLength: 8 })
  .map((parts) => branch(`${parts.map(({ rounds, says }) => `w${`r${says ? 's' : 't'}`.repeat(rounds)}r`).join('')}w`))

const anyMarks = fc.record({
  through: fc.nat({ max: 40 }).map((at) => `m${at}`),
  pinned: fc.array(
    fc.nat({ max: 40 }).map((at) => `m${at}`),
    { maxLength: 4 },
  ),
})

describe('what is sent by the user’s decision', () => {
  it('begins after the left-out messages, and says how many there are', () => {
    const turns = branch('wrwrwrw')
    const fit = fitMarked(turns, 0, null, marks('m3'))
    expect(sentOf(turns, fit)).toEqual([4, 5, 6])
    expect(fit.compacted).toEqual({ to: 4, summary: '' })
  })

  it('keeps pinned messages: a call with its results, results with their call', () => {
    const turns = branch('wrtrwrtrw')
    expect(sentOf(turns, fitMarked(turns, 0, null, marks('m7', ['m1'])))).toEqual([1, 2, 8])
    expect(sentOf(turns, fitMarked(turns, 0, null, marks('m7', ['m6'])))).toEqual([5, 6, 8])
    expect(sentOf(turns, fitMarked(turns, 0, null, marks('m7', ['m0'])))).toEqual([0, 8])
  })

  it('never begins with results of a left-out call', () => {
    const turns = branch('wrwrsrw')
    // After the reply at 3 come its results, with text.
    expect(fitMarked(turns, 0, null, marks('m3')).compacted?.to).toBe(2)
  })

  it('applies only if its message is part of the branch', () => {
    const turns = branch('wrw')
    expect(fitMarked(turns, 0, null, marks('elsewhere'))).toMatchObject({ from: 0, compacted: null })
    expect(fitMarked(turns, 0, 100, undefined)).toEqual({ ...fitWindow(turns, 0, 100), pinned: [], compacted: null })
  })

  it('is fitted into the window like any chat, with the pinned ones and the summary counted first', () => {
    const turns = branch('wrwrwrwrwrw')
    const fit = fitMarked(turns, 0, 100, marks('m3', ['m0'], 'A summary of some words.'))
    expect(sentOf(turns, fit).slice(0, 1)).toEqual([0])
    expect(fit.tokens).toBeLessThanOrEqual(100)
    expect(fit.fits).toBe(true)
    expect(fit.from).toBeGreaterThanOrEqual(4)
  })

  it('holds for every branch: no half pair, the last turn’s text kept, within the limit', () => {
    fc.assert(
      fc.property(
        anyBranch,
        anyMarks,
        fc.option(fc.integer({ min: 60, max: 400 })),
        (turns, { through, pinned }, room) => {
          const fit = fitMarked(turns, 0, room, marks(through, pinned, 'In short.'))
          const sent = new Set(sentOf(turns, fit))
          for (const [at, { kind }] of turns.entries()) {
            if (kind === 'results' && sent.has(at)) expect(sent.has(at - 1)).toBe(true)
            if (kind === 'reply' && sent.has(at) && turns[at + 1]?.kind === 'results')
              expect(sent.has(at + 1)).toBe(true)
          }
          expect(sent.has(turns.length - 1)).toBe(true)
          for (const id of pinned) {
            const at = turns.findIndex((turn) => turn.id === id)
            if (at >= 0) expect(sent.has(at)).toBe(true)
          }
          if (fit.fits && room !== null) expect(fit.tokens).toBeLessThanOrEqual(room)
        },
      ),
      { numRuns: 300 },
    )
  })
})
