/*
 * Where lines end is for the language to say: a lone CR ends a comment in JavaScript and Python, U+2028 in JavaScript
 * alone, a form feed in CSS. Where nothing is known the most generous rule counts, so that nothing hides in a line.
 */

const onlyLf = /\r\n|\n/g
const withCr = /\r\n|\n|\r/g
const withSeparators = /\r\n|[\n\r\u2028\u2029]/g
const withNextLine = /\r\n|[\n\r\u0085\u2028\u2029]/g
const withFormFeed = /\r\n|[\n\r\f]/g

const rules: Readonly<Record<string, RegExp>> = {
  ...{
    bash: onlyLf,
    sh: onlyLf,
    shell: onlyLf,
    zsh: onlyLf,
    go: onlyLf,
    rb: onlyLf,
    ruby: onlyLf,
    rs: onlyLf,
    rust: onlyLf,
  },
  ...{ c: onlyLf, h: onlyLf, cpp: onlyLf, 'c++': onlyLf, json: withCr, jsonl: onlyLf, csv: withCr },
  ...{ py: withCr, python: withCr, java: withCr, kt: withCr, kotlin: withCr, php: withCr, swift: withCr, sql: withCr },
  ...{ xml: withCr, html: withCr, htm: withCr, svg: withCr, yaml: withCr, yml: withCr, toml: withCr, ini: withCr },
  ...{ md: withCr, markdown: withCr, css: withFormFeed, cs: withNextLine, csharp: withNextLine, 'c#': withNextLine },
}

export interface TextLine {
  readonly text: string
  /** What ends it, where that is neither LF nor CRLF nor the end of the text: "CR", "U+2028". */
  readonly end: string | null
}

/** The lines as the language counts them, without what ends them. Joined with that they are the text. */
export function splitLines(text: string, language?: string): readonly TextLine[] {
  const asked = language?.toLowerCase() ?? ''
  const rule = (Object.hasOwn(rules, asked) ? rules[asked] : undefined) ?? withSeparators
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
