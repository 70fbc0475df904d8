import * as Char from '../text/char'

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
