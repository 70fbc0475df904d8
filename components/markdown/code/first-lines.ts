export interface FirstLines {
  readonly text: string
  /** Lines of the whole. */
  readonly lines: number
  readonly hidden: boolean
}

/** The first lines of a text, and no more than `maxChars` of them: one line may be as long as a file. */
export function firstLines(text: string, maxLines: number, maxChars: number): FirstLines {
  let lines = 1
  let end = text.length
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (lines === maxLines) end = at
    lines += 1
  }
  const shown = text.slice(0, Math.min(end, maxChars))
  return { text: shown, lines, hidden: shown.length < text.length }
}
