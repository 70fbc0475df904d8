import { lookAlikes } from './look-alikes'
import { codePointLabel, type Mark, type TextKind } from './mark'
import { marksButTwins } from './marks-but-twins'

/**
 * Everything in a text that does not show what it is, in the order of the text; no two overlap. CRLF is a plain line end;
 * what ends lines in some languages only is marked, see `lines.ts` for text that is shown by lines.
 */
export function marksOf(text: string, reading: TextKind): readonly Mark[] {
  const marks = [...marksButTwins(text, reading)]
  const taken = new Set(marks.map(({ start }) => start))
  for (const { start, end, letter } of lookAlikes(text, reading)) {
    if (taken.has(start)) continue
    marks.push({ kind: 'look-alike', start, end, count: 1, label: codePointLabel(letter.codePointAt(0) ?? 0) })
  }
  return marks.toSorted((a, b) => a.start - b.start)
}
