/*
 * Where lines end is for the language to say: a lone CR ends a comment in JavaScript and Python, U+2028 in JavaScript
 * alone, a form feed in CSS. Where nothing is known the most generous rule counts, so that nothing hides in a line.
 */

const onlyLf = /\r\n|\n/g
const withCr = /\r\n|\n|\r/g
const withSeparators = /\r\n|[\n\r\u2028\u2029]/g
const withNextLine = /\r\n|[\n\r\u0085\u2028\u2029]/g
const withFormFeed = /\r\n|[\n\r\f]/g

const rules = new Map(
  (
    [
      [onlyLf, 'bash sh shell zsh go rb ruby rs rust c h cpp c++ jsonl'],
      [withCr, 'py python java kt kotlin php swift sql xml html htm svg yaml yml toml ini md markdown json csv'],
      [withFormFeed, 'css'],
      [withNextLine, 'cs csharp c#'],
    ] as const
  ).flatMap(([rule, names]) => names.split(' ').map((name): [string, RegExp] => [name, rule])),
)

export interface TextLine {
  readonly text: string
  /** What ends it, where that is neither LF nor CRLF nor the end of the text: "CR", "U+2028". */
  readonly end: string | null
}

/** The lines as the language counts them, without what ends them. Joined with that they are the text. */
export function splitLines(text: string, language?: string): readonly TextLine[] {
  const rule = rules.get(language?.toLowerCase() ?? '') ?? withSeparators
  const lines: TextLine[] = []
  let at = 0
  for (const { 0: end, index } of text.matchAll(rule)) {
    lines.push({ text: text.slice(at, index), end: unusualEnd(end) })
    at = index + end.length
  }
  lines.push({ text: text.slice(at), end: null })
  return lines
}

function unusualEnd(end: string): string | null {
  if (end === '\n' || end === '\r\n') return null
  if (end === '\r') return 'CR'
  return `U+${(end.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
