import { loadPart } from '@/lib/i18n/load-part'

/*
 * A change of a text as blocks of whole lines, so that it can be accepted in parts without losing a byte:
 *
 *   before  a b c d      after  a B c d e      ⇒  same [a] · block −[b] +[B] · same [c d] · block −[] +[e]
 *
 * Lines keep their line endings, so joining the parts restores the texts exactly.
 */

export type TextPiece =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | { readonly kind: 'block'; readonly removed: readonly string[]; readonly added: readonly string[] }

/** Beyond this much work the whole is one block. */
const timeoutMs = 300

export const linesWithEnds = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Loads the comparison on first use. */
export async function piecesBetween(before: string, after: string): Promise<readonly TextPiece[]> {
  const { diffArrays } = await loadPart(() => import('diff'))
  const [old, now] = [linesWithEnds(before), linesWithEnds(after)]
  const parts = diffArrays([...old], [...now], { timeout: timeoutMs }) as
    | { readonly value: readonly string[]; readonly added?: boolean; readonly removed?: boolean }[]
    | undefined
  if (parts === undefined) return [{ kind: 'block', removed: old, added: now }]
  const pieces: TextPiece[] = []
  for (const { value, added = false, removed = false } of parts) {
    const last = pieces.at(-1)
    if (!added && !removed) pieces.push({ kind: 'same', lines: value })
    else if (last?.kind === 'block') {
      pieces[pieces.length - 1] = {
        kind: 'block',
        removed: removed ? [...last.removed, ...value] : last.removed,
        added: added ? [...last.added, ...value] : last.added,
      }
    } else pieces.push({ kind: 'block', removed: removed ? value : [], added: added ? value : [] })
  }
  return pieces
}

export const blockCount = (pieces: readonly TextPiece[]): number => pieces.filter(({ kind }) => kind === 'block').length

/** The text with only some of the blocks; `taken` is in the blocks' order. */
export function textWith(pieces: readonly TextPiece[], taken: readonly boolean[]): string {
  let block = 0
  return pieces
    .map((piece) =>
      (piece.kind === 'same' ? piece.lines : taken[block++] === true ? piece.added : piece.removed).join(''),
    )
    .join('')
}

/** Up to this many blocks every choice is tried. */
const maxTried = 10

/** Which of the blocks `now` contains; null if it is no choice of them. */
export function takenIn(pieces: readonly TextPiece[], now: string): readonly boolean[] | null {
  const count = blockCount(pieces)
  const all = Array.from({ length: count }, () => true)
  if (textWith(pieces, all) === now) return all
  const walked = walk(pieces, linesWithEnds(now))
  if (walked !== null && textWith(pieces, walked) === now) return walked
  if (count > maxTried) return null
  for (let choice = 0; choice < 2 ** count; choice++) {
    const taken = all.map((_, at) => (choice & (1 << at)) !== 0)
    if (textWith(pieces, taken) === now) return taken
  }
  return null
}

const startsWith = (lines: readonly string[], at: number, part: readonly string[]): boolean =>
  part.every((line, offset) => lines[at + offset] === line)

/** Walks along the text and takes the side of a block that matches; the longer one if both do. */
function walk(pieces: readonly TextPiece[], lines: readonly string[]): readonly boolean[] | null {
  const taken: boolean[] = []
  let at = 0
  for (const piece of pieces) {
    if (piece.kind === 'same') {
      if (!startsWith(lines, at, piece.lines)) return null
      at += piece.lines.length
      continue
    }
    const [hasNew, hasOld] = [startsWith(lines, at, piece.added), startsWith(lines, at, piece.removed)]
    if (!hasNew && !hasOld) return null
    const isTaken = hasNew && (!hasOld || piece.added.length >= piece.removed.length)
    taken.push(isTaken)
    at += (isTaken ? piece.added : piece.removed).length
  }
  return at === lines.length ? taken : null
}
