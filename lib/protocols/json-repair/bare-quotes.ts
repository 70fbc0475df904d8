import * as Char from '../text/source'
import { type Source, FIELD_MARKS, isDigit, isSpace, isWordPart } from '../text/source'
import { isColon, isComma, isQuote, readPlainKey } from './characters'
import type { ReadJsonOptions, Shape } from './json-reading'
import type { RepairCode } from '../types/segment'
import { textNode, type JsonNode } from './node'

/** An open container around the string. */
export interface OpenContainer {
  readonly kind: 'object' | 'array'
  readonly shape: Shape | null
  /** The tool's name, if the object has already named it. */
  name: string | null
  /** The keys that the object has so far. */
  readonly seen: Set<string>
}

const MAX_KEY = 128

/**
 * Whether a quote that ends just before `i` can end a string value. It can if what follows continues the structure:
 * closing brackets that fit the open containers and lead to something that fits as well, or a comma and a key that is
 * known here. Each lookahead stops at the next quote, so all lookaheads together take linear time.
 */
export function endsString(
  source: Source,
  i: number,
  frames: readonly OpenContainer[],
  options: ReadJsonOptions,
): boolean {
  let level = frames.length
  let from = i
  let j = source.skipSpace(i)
  let closed = -1
  for (;;) {
    const code = source.at(j)
    const frame = frames[level - 1]
    if (!frame) {
      while (source.at(j) === Char.CLOSE_BRACE || source.at(j) === Char.CLOSE_BRACKET)
        j = source.skipSpace((from = j + 1))
      return options.mayFollow?.(j, source.text.slice(from, j).includes('\n')) ?? source.at(j) < 0
    }
    if (code < 0) return false
    if (code === Char.CLOSE_BRACE || code === Char.CLOSE_BRACKET) {
      const kind = code === Char.CLOSE_BRACE ? 'object' : 'array'
      let match = level - 1
      // Objects may have lost their brace before a bracket that is present.
      while (match >= 0 && frames[match]?.kind !== kind) match--
      if (match < 0 || (kind === 'object' && match !== level - 1)) return false
      level = match
      closed = code
      from = j + 1
      j = source.skipSpace(from)
      continue
    }
    if (isComma(code)) {
      j = source.skipSpace(j + 1)
      const next = source.at(j)
      if (next === Char.CLOSE_BRACE || next === Char.CLOSE_BRACKET) continue
      if (frame.kind === 'object') return isKnownKey(source, j, frame)
      if (closed < 0) return startsValue(next)
      // An object in a list is followed by an object of the same kind.
      if (closed !== Char.CLOSE_BRACE) return next === Char.OPEN_BRACKET
      return next === Char.OPEN_BRACE && isKnownKey(source, source.skipSpace(j + 1), frame)
    }
    // Missing brackets in addition to bare quotes would be one guess too many.
    if (options.isStop?.(j)) return false
    return level === frames.length && frame.kind === 'object' && j > i && isKnownKey(source, j, frame)
  }
}

/**
 * Where a string that began at `from` lost its closing quote, if the quote at `i`, the first in the string, opens a
 * known key that is missing here. The result is the comma before that key. -1 if another reading is possible: in an
 * object that may have any keys, or if the character before the comma may have replaced the quote.
 */
export function lostQuote(source: Source, from: number, i: number, frames: readonly OpenContainer[]): number {
  const frame = frames.at(-1)
  if (frame?.kind !== 'object' || frame.shape === null || frame.shape.open) return -1
  if (!isKnownKey(source, i, frame, true)) return -1
  let comma = i - 1
  while (comma > from && isSpace(source.text.charCodeAt(comma))) comma--
  if (source.text[comma] !== ',' || comma <= from) return -1
  const before = source.text.charAt(comma - 1)
  return /[\p{L}\p{N}_]/u.test(before) && !FIELD_MARKS.includes(before) ? comma : -1
}

const startsValue = (code: number): boolean =>
  isQuote(code) ||
  code === Char.OPEN_BRACE ||
  code === Char.OPEN_BRACKET ||
  code === Char.MINUS ||
  isDigit(code) ||
  'tfn'.includes(String.fromCharCode(code))

/** Whether a key with its colon begins here, and the object may have that key. */
function isKnownKey(source: Source, i: number, frame: OpenContainer, missing = false): boolean {
  const quoted = isQuote(source.at(i))
  let end = quoted ? i + 1 : i
  for (;;) {
    const code = source.at(end)
    if (code < 0 || end - i > MAX_KEY || code === Char.LINE_FEED) return false
    if (quoted ? isQuote(code) : !isWordPart(code)) break
    // `"x\"y":`: an escaped quote is part of the key.
    end += quoted && code === Char.BACKSLASH && source.at(end + 1) >= 0 ? 2 : 1
  }
  const written = source.text.slice(quoted ? i + 1 : i, end)
  const key = written.includes('\\') ? (readPlainKey(`${written}"`, 0)?.value ?? '') : written
  const colon = source.skipSpace(quoted ? end + 1 : end)
  if (key === '' || !isColon(source.at(colon))) return false
  if (missing && frame.seen.has(key)) return false
  return frame.shape ? frame.shape.has(key) : quoted && source.at(i) === Char.QUOTE
}

const STRICT_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const GLUED = /^(?:(?:null|true|false|None|True|False)-?){1,8}(?:\d[\d.]*)?$/
const MARK = new RegExp(`[${FIELD_MARKS}]`)
const LOOSE_NUMBER = /^[+-]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/
/** Clearly a single value although it begins with a digit: a date, a date with a time, a UUID. */
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
const PYTHON: Readonly<Record<string, boolean | null>> = {
  True: true,
  False: false,
  None: null,
  TRUE: true,
  FALSE: false,
  NULL: null,
  undefined: null,
}

/** What an unquoted word represents; null if it is not a value. */
export function classifyWord(
  word: string,
  start: number,
  end: number,
): { node: JsonNode; repair: RepairCode | null } | null {
  const literal = (value: boolean | null, repair: RepairCode | null) => ({
    node: { kind: 'literal', start, end, value, closed: true } as const,
    repair,
  })
  const number = (raw: string, repair: RepairCode | null) => {
    const value = Number(raw)
    if (!Number.isFinite(value)) return literal(null, 'non-finite-number')
    return { node: { kind: 'number', start, end, raw, written: word, value, closed: true } as const, repair }
  }
  if (Object.hasOwn(LITERALS, word)) return literal(LITERALS[word] ?? null, null)
  if (STRICT_NUMBER.test(word)) return number(word, null)
  if (Object.hasOwn(PYTHON, word)) return literal(PYTHON[word] ?? null, 'python-literal')
  if (/^[+-]?(NaN|Infinity|nan|inf)$/.test(word)) return literal(null, 'non-finite-number')
  if (LOOSE_NUMBER.test(word)) return number(word.replaceAll('_', '').replace(/^\+/, ''), 'raw-value')
  // Two values that lost their comma are not a word.
  if (GLUED.test(word)) return null
  if (MARK.test(word) || holdsValues(word)) return null
  // A path or a plain word without quotes. Dots alone are an omission.
  if (
    (/^[\p{L}_/.~$][\p{L}\p{N}_/.$-]*$/u.test(word) && /[\p{L}\p{N}]/u.test(word)) ||
    DATE.test(word) ||
    UUID.test(word)
  )
    return { node: textNode(word, start, end), repair: 'raw-value' }
  if (word === '...' || word === '…') return { node: textNode(word, start, end), repair: 'ellipsis' }
  return null
}

const isLiteral = (word: string): boolean => Object.hasOwn(LITERALS, word) || Object.hasOwn(PYTHON, word)

/** A slash beside values may have replaced a comma or a bracket: `true/`, `null/null`, `/5`. */
function holdsValues(word: string): boolean {
  if (!word.includes('/')) return false
  const parts = word.split('/').filter((part) => part !== '')
  return isLiteral(parts[0] ?? '') || parts.every((part) => isLiteral(part) || LOOSE_NUMBER.test(part))
}
