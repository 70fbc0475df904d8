import type { JsonValue } from '@/lib/base/json'
import { isUnsafeKey } from '../json-repair/node'
import * as Char from '../text/source'
import { type Source, isDigit, isLetter } from '../text/source'

/*
 * Literals as models write them in calls that are not JSON: Python's `f(path="/a", tags=['x'], deep={'n': None})` and
 * Gemma's `call:f{path:<|"|>/a<|"|>,tags:[…]}`. Read strictly: anything that is not a literal (a name, a sum, an
 * f-string) is rejected, and nothing is ever completed.
 */

export interface LiteralSyntax {
  /** Marks that open and close a string in which nothing is escaped. */
  readonly quotes: readonly string[]
  /** Whether keys of objects may be unquoted. */
  readonly bareKeys: boolean
}

export interface Literal<Value extends JsonValue = JsonValue> {
  readonly value: Value
  readonly end: number
}

export const PYTHON: LiteralSyntax = { quotes: [], bareKeys: false }

const MAX_DEPTH = 64
const WORDS: Readonly<Record<string, boolean | null>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
}
const NUMBER = /[+-]?(?:\d[\d_]{0,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,5})?(?![\w.])/y
const KEY = /[\p{L}_][\p{L}\p{N}_-]{0,63}/uy
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\u0007',
  '0': '\0',
  '\n': '',
  '\\': '\\',
  '/': '/',
  "'": "'",
  '"': '"',
}
const CODE_POINT = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})/y

/** The literal at `i`; null if there is none, or if it does not end. */
export function readLiteral(source: Source, i: number, syntax: LiteralSyntax, depth = 0): Literal | null {
  if (depth > MAX_DEPTH) return null
  const unit = source.at(i)
  for (const quote of syntax.quotes) if (source.has(i, quote)) return readMarked(source, i, quote)
  if (unit === Char.QUOTE || unit === Char.APOSTROPHE) return readText(source, i)
  if (unit === Char.OPEN_BRACKET) return readList(source, i, ']', syntax, depth)
  if (unit === Char.OPEN_PAREN && !syntax.bareKeys) return readList(source, i, ')', syntax, depth)
  if (unit === Char.OPEN_BRACE) return readMap(source, i, syntax, depth)
  if (isDigit(unit) || unit === Char.MINUS || unit === Char.PLUS || unit === Char.DOT) return readNumber(source, i)
  return readWord(source, i)
}

function readWord(source: Source, i: number): Literal<boolean | null> | null {
  for (const [word, value] of Object.entries(WORDS)) {
    if (!source.has(i, word)) continue
    const end = i + word.length
    const next = source.at(end)
    return isDigit(next) || next === Char.UNDERSCORE || next === Char.OPEN_PAREN || next === Char.DOT || isLetter(next)
      ? null
      : { value, end }
  }
  return null
}

/** Whole numbers that a double can't hold are kept as their digits. */
function readNumber(source: Source, i: number): Literal | null {
  const found = source.match(NUMBER, i, 900)
  if (!found) return null
  const digits = found[0].replaceAll('_', '').replace(/^\+/, '')
  const value = Number(digits)
  if (!Number.isFinite(value)) return null
  const whole = /^-?\d+$/.test(digits)
  // `007` is not a number in Python; as a string it loses nothing.
  const exact = whole && (!Number.isSafeInteger(value) || /^-?0\d/.test(digits)) ? digits : value
  return { value: exact, end: i + found[0].length }
}

function readMarked(source: Source, i: number, quote: string): Literal<string> | null {
  const from = i + quote.length
  const close = source.find(quote, from)
  return close < 0 ? null : { value: source.text.slice(from, close), end: close + quote.length }
}

/** A string in single or triple quotes of one kind, with its escapes. */
function readText(source: Source, i: number): Literal<string> | null {
  const quote = source.text.slice(i, i + 1)
  const long = source.has(i, quote.repeat(3))
  const closer = long ? quote.repeat(3) : quote
  let value = ''
  let from = i + closer.length
  for (let at = from; ; at++) {
    const unit = source.at(at)
    if (unit < 0 || (unit === Char.LINE_FEED && !long)) return null
    if (unit === Char.BACKSLASH) {
      value += source.text.slice(from, at)
      const escape = readEscape(source, at + 1)
      value += escape.value
      at = escape.end - 1
      from = escape.end
    } else if (unit === quote.charCodeAt(0) && source.has(at, closer))
      return { value: value + source.text.slice(from, at), end: at + closer.length }
  }
}

/** The escape after a backslash; if it is not an escape, the backslash is kept. */
function readEscape(source: Source, i: number): Literal<string> {
  source.at(i + 8)
  CODE_POINT.lastIndex = i
  const found = CODE_POINT.exec(source.text)
  if (found) {
    const code = parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16)
    if (code <= Char.LAST_CODE_POINT) return { value: String.fromCodePoint(code), end: i + found[0].length }
  }
  const char = source.text.slice(i, i + 1)
  return { value: Object.hasOwn(ESCAPES, char) ? (ESCAPES[char] ?? '') : `\\${char}`, end: i + char.length }
}

/** A list; with round brackets, a tuple with at least one comma. */
function readList(
  source: Source,
  i: number,
  closer: string,
  syntax: LiteralSyntax,
  depth: number,
): Literal<JsonValue[]> | null {
  const value: JsonValue[] = []
  let commas = 0
  let at = source.skipSpace(i + 1)
  while (!source.has(at, closer)) {
    const item = readLiteral(source, at, syntax, depth + 1)
    if (!item) return null
    value.push(item.value)
    at = source.skipSpace(item.end)
    if (source.at(at) === Char.COMMA) {
      commas++
      at = source.skipSpace(at + 1)
    } else if (!source.has(at, closer)) return null
  }
  return closer === ')' && value.length > 0 && commas === 0 ? null : { value, end: at + 1 }
}

/** `{key: value, …}` whose brace is at `i`; prototype keys are dropped. */
export function readMap(
  source: Source,
  i: number,
  syntax: LiteralSyntax,
  depth = 0,
): Literal<Record<string, JsonValue>> | null {
  const value = Object.create(null) as Record<string, JsonValue>
  let at = source.skipSpace(i + 1)
  while (source.at(at) !== Char.CLOSE_BRACE) {
    const key = readKey(source, at, syntax)
    const colon = key ? source.skipSpace(key.end) : at
    if (!key || source.at(colon) !== Char.COLON) return null
    const item = readLiteral(source, source.skipSpace(colon + 1), syntax, depth + 1)
    // A repeated key is ambiguous.
    if (!item || Object.hasOwn(value, key.value)) return null
    if (!isUnsafeKey(key.value)) value[key.value] = item.value
    at = source.skipSpace(item.end)
    if (source.at(at) === Char.COMMA) at = source.skipSpace(at + 1)
    else if (source.at(at) !== Char.CLOSE_BRACE) return null
  }
  return { value, end: at + 1 }
}

function readKey(source: Source, i: number, syntax: LiteralSyntax): Literal<string> | null {
  const unit = source.at(i)
  for (const quote of syntax.quotes) if (source.has(i, quote)) return readMarked(source, i, quote)
  if (unit === Char.QUOTE || unit === Char.APOSTROPHE) return readText(source, i)
  if (!syntax.bareKeys) return null
  const found = source.match(KEY, i, 66)
  return found ? { value: found[0], end: i + found[0].length } : null
}
