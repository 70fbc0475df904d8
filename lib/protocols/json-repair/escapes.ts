import type { Source } from '../text/source'

const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/**
 * The escape at `i` (a backslash). Escapes that JSON does not know keep their backslash (`C:\dir`, `\d`, a short `\u12`),
 * except the harmless ones of other languages: an apostrophe, a dollar sign, a backtick.
 */
export function readEscape(source: Source, i: number): { value: string; length: number; bad: boolean } {
  const code = source.at(i + 1)
  if (code < 0) return { value: '\\', length: 1, bad: true }
  const char = String.fromCharCode(code)
  const simple = SIMPLE[char]
  if (simple !== undefined) return { value: simple, length: 2, bad: false }
  if (char === 'u') {
    source.at(i + 5)
    const digits = source.text.slice(i + 2, i + 6)
    if (/^[0-9a-fA-F]{4}$/.test(digits))
      return { value: String.fromCharCode(parseInt(digits, 16)), length: 6, bad: false }
    return { value: '\\', length: 1, bad: true }
  }
  if (char === "'" || char === '$' || char === '`') return { value: char, length: 2, bad: true }
  return { value: '\\', length: 1, bad: true }
}
