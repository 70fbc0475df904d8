import * as Char from '../text/source'
import { type Source, isWordPart } from '../text/source'

/** JSON's structural characters as models write them. All functions take UTF-16 units; -1 (the end) belongs to none. */

/** Opening quote → the quotes that close it. */
const CLOSERS = new Map<number, readonly number[]>([
  [Char.QUOTE, [Char.QUOTE]],
  [Char.APOSTROPHE, [Char.APOSTROPHE]],
  [Char.BACKTICK, [Char.BACKTICK]],
  [Char.LEFT_QUOTE, [Char.RIGHT_QUOTE, Char.LEFT_QUOTE]],
  [Char.RIGHT_QUOTE, [Char.RIGHT_QUOTE]],
  [Char.LOW_QUOTE, [Char.RIGHT_QUOTE, Char.LEFT_QUOTE]],
  [Char.LEFT_SINGLE_QUOTE, [Char.RIGHT_SINGLE_QUOTE]],
  [Char.RIGHT_SINGLE_QUOTE, [Char.RIGHT_SINGLE_QUOTE]],
  [Char.FULL_WIDTH_QUOTE, [Char.FULL_WIDTH_QUOTE]],
])

export const closersOf = (code: number): readonly number[] | undefined => CLOSERS.get(code)
export const isQuote = (code: number): boolean =>
  code === Char.QUOTE ||
  code === Char.APOSTROPHE ||
  code === Char.BACKTICK ||
  (code >= Char.LEFT_SINGLE_QUOTE && CLOSERS.has(code))
export const isColon = (code: number): boolean => code === Char.COLON || code === Char.FULL_WIDTH_COLON
export const isComma = (code: number): boolean => code === Char.COMMA || code === Char.FULL_WIDTH_COMMA

const MAX_KEY = 128

/** The brace before `i`, skipping white space; -1 if it is another character. */
export function braceBefore(source: Source, i: number): number {
  do i--
  while (i >= 0 && source.text.charCodeAt(i) <= Char.SPACE)
  return source.text[i] === '{' ? i : -1
}

/**
 * The first key of the object whose brace is at `start`, or null if no object with keys begins there. A cheap check
 * that keeps braces in prose and code from being read as JSON; doubled braces and comments are skipped.
 */
export function peekKey(source: Source, start: number): string | null {
  let i = source.skipSpace(start + 1)
  for (let doubled = 0; source.at(i) === Char.OPEN_BRACE && doubled < 4; doubled++) i = source.skipSpace(i + 1)
  if (source.at(i) === Char.SLASH) {
    const next = source.at(i + 1)
    if (next !== Char.SLASH && next !== Char.STAR) return null
    const end = source.find(next === Char.SLASH ? '\n' : '*/', i + 2)
    if (end < 0) return null
    i = source.skipSpace(end + (next === Char.SLASH ? 1 : 2))
  }
  if (source.at(i) === Char.LESS && source.has(i, '<|"|>')) {
    const end = source.find('<|"|>', i + 5)
    return end < 0 || end - i > MAX_KEY ? null : source.text.slice(i + 5, end)
  }
  const closers = closersOf(source.at(i))
  let end = closers ? i + 1 : i
  for (;;) {
    const unit = source.at(end)
    if (unit < 0 || unit === Char.LINE_FEED || end - i > MAX_KEY) return null
    if (closers ? closers.includes(unit) || unit === Char.RIGHT_QUOTE : !isWordPart(unit)) break
    end++
  }
  const key = source.text.slice(closers ? i + 1 : i, end)
  const colon = source.skipSpace(closers ? end + 1 : end)
  return key !== '' && isColon(source.at(colon)) ? key : null
}

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
 * Reads the escape at `i` (a backslash). Escapes that JSON does not know keep their backslash (`C:\dir`, `\d`, a short
 * `\u12`), except the harmless ones of other languages: an apostrophe, a dollar sign, a backtick.
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

/** Most strings end within this many units; up to here a loop is faster than the engine's own search and decoding. */
const NEAR = 64

/**
 * The first unit from `from` that may end a string or needs attention in its value: a quote of any kind, a backslash, a
 * control character. Returns `to` if there is none before it.
 */
export function skipPlain(text: string, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (
      unit < Char.SPACE ||
      unit === Char.QUOTE ||
      unit === Char.APOSTROPHE ||
      unit === Char.BACKSLASH ||
      unit === Char.BACKTICK ||
      unit >= Char.LEFT_SINGLE_QUOTE
    )
      return i
  }
  return to
}

/** A string as `JSON.parse` reads it; `end` is after its closing quote. */
export interface PlainString {
  readonly value: string
  readonly escaped: boolean
  readonly end: number
}

/**
 * Reads the string whose content begins at `from`, after its opening quote, if nothing needs repair. This is the fast
 * path, since most of a reply is inside such strings. Returns `unclosed` if no quote ends it, null if it needs the full
 * reader.
 */
export function readPlainString(text: string, from: number): PlainString | 'unclosed' | null {
  const near = readNear(text, from, false)
  return near === 'longer' ? readFar(text, from) : near
}

/** A short key in straight quotes; null if it needs the full reader. */
export function readPlainKey(text: string, from: number): PlainString | null {
  const near = readNear(text, from, true)
  return near === 'longer' ? null : near
}

function readNear(text: string, from: number, isKey: boolean): PlainString | 'longer' | null {
  const to = Math.min(text.length, from + NEAR)
  let escaped = false
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (unit === Char.QUOTE) {
      if (!escaped) return { value: text.slice(from, i), escaped, end: i + 1 }
      const value = decode(text.slice(from - 1, i + 1))
      return value === null ? null : { value, escaped, end: i + 1 }
    }
    if (unit === Char.BACKSLASH) {
      if (!'"\\/bfnrtu'.includes(text.charAt(++i))) return null
      escaped = true
    } else if (unit < Char.SPACE || (isKey && unit >= Char.LEFT_SINGLE_QUOTE)) return null
  }
  return 'longer'
}

/** Uses the engine's own search and decoding, which process a million characters in two milliseconds. */
function readFar(text: string, from: number): PlainString | 'unclosed' | null {
  let quote = text.indexOf('"', from)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  if (quote < 0) return 'unclosed'
  const literal = text.slice(from - 1, quote + 1)
  if (isDamaged(literal)) return null
  const value = decode(literal)
  return value === null ? null : { value, escaped: value.length < literal.length - 2, end: quote + 1 }
}

/** Detects common damage first, because throwing an exception for each of many strings is slow. */
const isDamaged = (literal: string): boolean =>
  literal.includes('\n') || literal.includes('\t') || literal.includes('\r')

/** Whether an odd number of backslashes precedes `i`; counting begins after the string's own quote. */
function isEscaped(text: string, i: number): boolean {
  let before = i - 1
  while (text.charCodeAt(before) === Char.BACKSLASH) before--
  return (i - before) % 2 === 0
}

function decode(literal: string): string | null {
  try {
    return JSON.parse(literal) as string
  } catch {
    return null
  }
}
