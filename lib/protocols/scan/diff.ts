import * as Char from '../text/char'
import type { Source } from '../text/source'
import { QuotedLines } from './quotation'
import type { Quotation } from './quotation'

/*
 * A diff that stands in the reply without a fence: after its head (`diff --git`, `--- a/x` with `+++ b/x`, `@@ -1 +1 @@`), or
 * lines that are taken away and added right below one another. Lists of prose are marked by `-` and `+`, too: never by
 * both in neighbouring lines, and with a blank behind.
 */

const HEAD = /diff --git |Index: \S|@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/y
const MAX_HEAD = 60
/** Lines of a diff that have no mark of their own. */
const INFO =
  /(?:diff |index |Index: |=====|@@ |--- |\+\+\+ |\\ No newline|new file|deleted file|old mode|new mode|similarity|rename |copy |Binary files)/y

export function readDiff(source: Source, start: number): Quotation | null {
  const unit = source.at(start)
  const marked = unit === Char.PLUS || unit === Char.MINUS
  if (!marked && !'dI@'.includes(String.fromCharCode(unit))) return null
  const head = startsHead(source, start, unit)
  if (!head && !(marked && startsChange(source, start))) return null
  const lines = new QuotedLines()
  let seen = ''
  for (let i = start; source.at(i) >= 0;) {
    const kind = lineKind(source, i)
    if (kind === null) break
    if (kind !== 'info') seen += kind
    const next = source.find('\n', i)
    const end = next < 0 ? source.text.length : next + 1
    lines.add(source.text, kind === 'info' ? i : i + 1, end)
    i = end
  }
  const both = seen.includes('+') && seen.includes('-')
  return lines.count > 0 && (head || both) ? lines : null
}

function startsHead(source: Source, start: number, unit: number): boolean {
  if (unit !== Char.MINUS) return unit !== Char.PLUS && source.match(HEAD, start, MAX_HEAD) !== null
  if (!source.has(start, '--- ')) return false
  const next = source.find('\n', start)
  return next >= 0 && source.has(next + 1, '+++ ')
}

/** A sign with text right behind it, no blank: no item of a list. */
function startsChange(source: Source, start: number): boolean {
  const next = source.at(start + 1)
  return next > Char.SPACE && next !== source.at(start)
}

/** What the line at `i` is in a diff; null when the diff has ended before it. */
function lineKind(source: Source, i: number): '+' | '-' | ' ' | 'info' | null {
  const unit = source.at(i)
  // A context line that is empty lost its blank; what comes after must be a line of the diff by itself.
  if (unit === Char.LINE_FEED || unit === Char.CARRIAGE_RETURN) {
    const next = source.at(source.skipSpace(i))
    return next === Char.PLUS || next === Char.MINUS || next === Char.AT ? 'info' : null
  }
  if ('diI=@\\norscB'.includes(String.fromCharCode(unit))) return source.match(INFO, i, 20) ? 'info' : null
  if (unit === Char.PLUS) return source.has(i, '+++ ') ? 'info' : '+'
  if (unit === Char.MINUS) return source.has(i, '--- ') ? 'info' : '-'
  return unit === Char.SPACE || unit === Char.TAB ? ' ' : null
}
