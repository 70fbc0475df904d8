import { endTokenOf, readMark, readReasoningOpener, REASONING_TRIGGERS } from '../scan/reasoning'
import { Source } from '../text/source'

/** What happened in a piece of text that grows: a stretch of reasoning was opened, or closed. */
export type ReasoningTurn = 'opens' | 'closes'

const MAX_MARK = 80
/** A token whose name follows it: `<|channel|>ana`. */
const goesOn = /^<\|channel\|?>[a-z]{0,7}$/

/**
 * Says when reasoning that is in a text begins and ends, as the text comes, for anyone who has a clock. It sees marks alone and
 * no nesting: what a reply's thoughts are is read by its strategy, and where both count differently no time is told.
 */
export function createReasoningWatch(): { readonly take: (piece: string) => readonly ReasoningTurn[] } {
  /** What may still become a mark; at its beginning, `lineStart` says whether only blanks are before it on its line. */
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
          // It may have come in part.
          const part = rest.slice(at, at + MAX_MARK)
          if ((part.length < MAX_MARK && !/[>\]▷\n]/.test(part)) || goesOn.test(part)) break
        }
        lineStart = unit === '\n' || (lineStart && (unit === ' ' || unit === '\t' || unit === '\r'))
        at += 1
      }
      rest = rest.slice(at)
      return turns
    },
  }
}
