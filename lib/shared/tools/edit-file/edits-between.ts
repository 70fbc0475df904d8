import { piecesBetween, type TextPiece } from '../text-blocks'
import { applyEdits, type TextEdit } from './apply-edits'

/** How often `text` contains `part`, counted up to 2. */
function occurrences(text: string, part: string): number {
  const first = text.indexOf(part)
  if (first < 0) return 0
  return text.includes(part, first + 1) ? 2 : 1
}

/** One edit for the pieces from `first` to `last`, with as many lines around them as make it unique. */
function editAround(before: string, pieces: readonly TextPiece[], first: number, last: number): TextEdit {
  const middle = pieces.slice(first, last + 1)
  const side = (which: 'removed' | 'added') =>
    middle.map((piece) => (piece.kind === 'same' ? piece.lines : piece[which]).join('')).join('')
  const above = pieces.slice(0, first).flatMap((piece) => (piece.kind === 'same' ? piece.lines : piece.removed))
  const below = pieces.slice(last + 1).flatMap((piece) => (piece.kind === 'same' ? piece.lines : piece.removed))
  for (let lines = 0; ; lines++) {
    const [head, tail] = [above.slice(Math.max(0, above.length - lines)).join(''), below.slice(0, lines).join('')]
    const search = head + side('removed') + tail
    const isComplete = lines >= above.length && lines >= below.length
    if (isComplete || (search !== '' && occurrences(before, search) === 1)) {
      return { search, replace: head + side('added') + tail }
    }
  }
}

/**
 * Edits that turn `before` into `after`: one per changed block; blocks that are so close that their surroundings meet
 * share one. `before` is not empty, and differs from `after`.
 */
export async function editsBetween(before: string, after: string): Promise<{ search: string; replace: string }[]> {
  const pieces = await piecesBetween(before, after)
  const blocks = pieces.flatMap((piece, at) => (piece.kind === 'block' ? [at] : []))
  const apart = blocks.map((at) => editAround(before, pieces, at, at))
  const done = applyEdits(before, apart)
  if (done.ok && done.value.text === after) return apart.map((edit) => ({ ...edit }))
  const whole = editAround(before, pieces, blocks[0] ?? 0, blocks.at(-1) ?? pieces.length - 1)
  return [{ ...whole }]
}
