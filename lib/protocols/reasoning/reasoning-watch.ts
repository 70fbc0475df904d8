import { endTokenOf, readMark, readReasoningOpener, REASONING_TRIGGERS } from '../scan/reasoning'
import { Source } from '../text/source'

/** An event in streamed text: reasoning was opened or closed. */
export type ReasoningTurn = 'opens' | 'closes'

const MAX_MARK = 80
/** A token whose name follows it: `<|channel|>ana`. */
const continues = /^<\|channel\|?>[a-z]{0,7}$/

/**
 * Reports when reasoning begins and ends in a text while it streams, so that callers can measure its time. It sees only
 * marks, without nesting: the strategy decides what a reply's reasoning is, and no time is shown if the two disagree.
 */
export function createReasoningWatch(): { readonly take: (piece: string) => readonly ReasoningTurn[] } {
  /**
   * Text that may still become a mark; at its beginning, `lineStart` says whether only blanks precede it on its line.
   */
  let rest = ''
  let lineStart = true
  let isOpen = false

  const markAt = (at: number): { readonly end: number; readonly turn: ReasoningTurn } | null => {
    const part = rest.slice(at, at + MAX_MARK)
    const source = new Source(part, true)
    if (!isOpen) {
      const opener = lineStart ? readReasoningOpener(source, 0) : null
      return opener && { end: at + opener.end, turn: 'opens' }
    }
    const closer = readMark(source, 0, true)
    if (closer) return { end: at + closer.end, turn: 'closes' }
    const token = /^(?:<\|[\w|]+\|?>|<[\w|]+\|>)/.exec(part)?.[0] ?? ''
    const isToken = token !== '' && (endTokenOf(token) !== null || token === '<|channel|>' || token === '<|start|>')
    return isToken ? { end: at + token.length, turn: 'closes' } : null
  }

  return {
    take(piece) {
      const turns: ReasoningTurn[] = []
      rest += piece
      let at = 0
      while (at < rest.length) {
        const unit = rest.charAt(at)
        if (REASONING_TRIGGERS.includes(unit)) {
          const mark = markAt(at)
          if (mark) {
            turns.push(mark.turn)
            isOpen = mark.turn === 'opens'
            at = mark.end
            lineStart = false
            continue
          }
          // Only a part of it may have arrived.
          const part = rest.slice(at, at + MAX_MARK)
          if ((part.length < MAX_MARK && !/[>\]▷\n]/.test(part)) || continues.test(part)) break
        }
        lineStart = unit === '\n' || (lineStart && (unit === ' ' || unit === '\t' || unit === '\r'))
        at += 1
      }
      rest = rest.slice(at)
      return turns
    },
  }
}
