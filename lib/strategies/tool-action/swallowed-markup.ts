import { wordPattern } from './markup'
import { isLiteral } from './value-end'
import type { ParameterAround } from './value-end'

/**
 * Whether a value with bare quotes looks as if it had swallowed the next parameter: a known name with its `value`, or
 * with a sign of markup beside it. A quote at the edge that has no partner may be the value's own, written twice.
 */
export function swallowsMarkup(text: string, quote: number, around: ParameterAround): boolean {
  const mark = String.fromCharCode(quote)
  const trimmed = text.trim()
  const quotes = text.split(mark).length - 1
  if (quotes % 2 === 1 && (trimmed.startsWith(mark) || trimmed.endsWith(mark))) return true
  for (const found of text.matchAll(wordPattern())) {
    if (!(around.isParameter ?? isLiteral)(found[0])) continue
    const behind = text.slice(found.index + found[0].length, found.index + found[0].length + 80)
    if (/^\s+(?:value|name)\b/i.test(behind) || /^\s*[>=]/.test(behind)) return true
    if ('<'.includes(text[found.index - 1] ?? ' ')) return true
  }
  return false
}

/** Whether the text of an element whose closer is missing ends in what is left of it: `/text>`, `</text`, `<text>`. */
export function endsInCloser(text: string, element: string): boolean {
  const end = text
    .trimEnd()
    .slice(-element.length - 6)
    .toLowerCase()
  const at = end.lastIndexOf(element.toLowerCase())
  if (at < 0) return false
  const before = end.slice(0, at)
  const after = end.slice(at + element.length)
  return !/[\p{L}\p{N}\s]/u.test(after) && after.length <= 2 && (/[</]\W{0,2}$/.test(before) || after.startsWith('>'))
}
