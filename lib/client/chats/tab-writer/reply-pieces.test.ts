import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { tabRunLimits } from '@/lib/shared/conversation/wire/tab-run'
import { createReplyPieces } from './reply-pieces'

describe('the pieces of a reply', () => {
  it('contain the whole reply in whole characters, however it is streamed and taken', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('text', 'reasoning'), anyText({ maxLength: 8 })), {
          maxLength: 30,
        }),
        fc.infiniteStream(fc.nat(3)),
        (parts, take) => {
          // Cut anywhere, as streams are cut: also between the halves of a surrogate pair.
          const units = parts.flatMap(([channel, text]) => text.split('').map((unit) => [channel, unit] as const))
          const pieces = createReplyPieces()
          const taken = { text: '', reasoning: '' }
          let next = 2
          const send = () => {
            const waiting = pieces.waiting()
            for (const { seq, text } of waiting) {
              expect(text.isWellFormed()).toBe(true)
              expect(text).not.toBe('')
              expect(seq).toBeGreaterThanOrEqual(next)
            }
            for (const piece of waiting.slice(0, take.next().value)) {
              taken[piece.channel] += piece.text
              next = piece.seq + 1
            }
            pieces.taken(next)
          }
          for (const [channel, unit] of units) {
            pieces.add(channel, unit)
            if (take.next().value === 0) send()
          }
          pieces.close()
          for (let tries = 0; !pieces.isTaken && tries < 1_000; tries += 1) send()
          const said = (of: string) =>
            parts
              .filter(([channel]) => channel === of)
              .map(([, text]) => text)
              .join('')
          // A lone half at a change of channel becomes a replacement character.
          const plain = (text: string) => text.replaceAll('\ufffd', '')
          expect(plain(taken.text).length).toBeLessThanOrEqual(said('text').length)
          if (!units.some(([, unit]) => !unit.isWellFormed())) expect(taken.text).toBe(said('text'))
          if (new Set(parts.map(([channel]) => channel)).size < 2)
            expect(taken.text + taken.reasoning).toBe(said('text') + said('reasoning'))
          expect(pieces.lastSeq).toBe(next - 1)
        },
      ),
    )
  })

  it('stay the same until they are taken, and are given again if the server lacks some', () => {
    const pieces = createReplyPieces()
    pieces.add('text', 'a')
    expect(pieces.waiting()).toEqual([{ seq: 2, channel: 'text', text: 'a' }])
    pieces.add('text', 'b')
    expect(pieces.waiting()).toEqual([{ seq: 2, channel: 'text', text: 'a' }])
    pieces.taken(3)
    expect(pieces.waiting()).toEqual([{ seq: 3, channel: 'text', text: 'b' }])
    pieces.taken(2)
    expect(pieces.waiting()).toHaveLength(2)
  })

  it('are no longer than the limit', () => {
    const pieces = createReplyPieces()
    pieces.add('text', '👩‍🚀'.repeat(40_000))
    pieces.close()
    let said = ''
    while (!pieces.isTaken) {
      for (const { seq, text } of pieces.waiting()) {
        expect(text.length).toBeLessThanOrEqual(tabRunLimits.maxPieceChars)
        expect(text.isWellFormed()).toBe(true)
        said += text
        pieces.taken(seq + 1)
      }
    }
    expect(said).toBe('👩‍🚀'.repeat(40_000))
  })
})
