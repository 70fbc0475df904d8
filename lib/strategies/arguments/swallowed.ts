import { isQuote } from '../json-repair/characters'
import type { Shape } from '../json-repair/json-reading'
import type { RepairCode } from '../segment'
import { FIELD_MARKS } from '../text/characters'

/** An object around a text. */
export interface SwallowedAround {
  /** Null: it may have any keys. */
  readonly shape: Shape | null
  readonly present: ReadonlySet<string>
  /** It is an item of a list: others with the same keys may follow. */
  readonly inList: boolean
}

const WORD = /[\p{L}\p{N}_$.-]+/gu
const FIELD_MARK = new RegExp(`[${FIELD_MARKS}]`, 'g')
const STRUCTURE = '{}[]:,"'
const STARTS_VALUE = /[{}[\]:,"\d\-tfn]/

/**
 * Whether a text that was read by guessing looks as if it had swallowed structure: a key that is known and missing
 * around it, the end of an object and what follows it, or a quote that was doubled at its edge. `written` is the text as
 * written, its escapes blotted out, `value` what it says; in lists and in objects of any keys every quote beside a sign
 * of structure counts.
 */
export function swallowsStructure(
  written: string,
  value: string,
  around: readonly SwallowedAround[],
  inList: boolean,
  repairs: ReadonlySet<RepairCode>,
): boolean {
  const text = inPlainSigns(written.replaceAll(FIELD_MARK, '|'), repairs)
  const bare = text.replaceAll(/\/\*[^*]{0,200}\*\//g, ' ')
  return (
    holdsOddKey(value, around) ||
    swallows(text, around, inList, repairs) ||
    (bare !== text && swallows(bare, around, inList, repairs))
  )
}

function swallows(
  text: string,
  around: readonly SwallowedAround[],
  inList: boolean,
  repairs: ReadonlySet<RepairCode>,
): boolean {
  const anyKey = inList || around.some(({ shape }) => shape === null || shape.open)
  return (
    doublesQuote(text) ||
    beginsWithKey(text) ||
    leavesObject(text) ||
    holdsNextCall(text) ||
    (anyKey && quotesTouchStructure(text)) ||
    holdsKnownKey(text, around, repairs.has('unquoted-key'))
  )
}

/** Where the call is written with other quotes, commas and colons, these are its structure. */
function inPlainSigns(written: string, repairs: ReadonlySet<RepairCode>): string {
  let text = written
  if (repairs.has('quote-token')) text = text.replaceAll('<|"|>', '"')
  if (repairs.has('smart-quote')) text = text.replaceAll(text.includes('‘') ? /[“”„＂‘’]/g : /[“”„＂]/g, '"')
  if (repairs.has('single-quotes')) text = text.replaceAll("'", '"')
  if (repairs.has('backtick-string')) text = text.replaceAll('`', '"')
  if (repairs.has('full-width-punctuation')) text = text.replaceAll('，', ',').replaceAll('：', ':')
  return text
}

/** `""tea"` and `"tea""`: a quote at the edge that has no partner may be the text's own, written twice. */
function doublesQuote(text: string): boolean {
  if (!text.startsWith('"') && !text.endsWith('"')) return false
  let quotes = 0
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i + 1)) quotes++
  return quotes % 2 === 1
}

/** `key":1`: what is left of an object that lost its brace. */
const beginsWithKey = (text: string): boolean => /^[^"]{0,128}"\s{0,20}:/.test(text)

/** `…"},{"…`: a bracket closes what did not open in the text, and structure goes on behind it. */
function leavesObject(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth >= 0) continue
      const next = after(text, i + 1, '}]')
      if (next < text.length && ':{[<'.includes(text[next] ?? '')) return true
      if (text[next] === ',' && /[{["<,:]/.test(text[after(text, next + 1, '')] ?? '')) return true
      // What closes behind it closes nothing of the text either.
      i = Math.max(i, next - 1)
    }
  }
  return false
}

const CALL_KEY = /[{,]\s*"?(?:name|tool_name|arguments|tool_calls|action)"?\s*:/g

/** A key of a call behind a closing bracket: the call ended in the text, and another one begins there. */
function holdsNextCall(text: string): boolean {
  const closed = text.search(/[}\]]/)
  if (closed < 0) return false
  CALL_KEY.lastIndex = closed
  return CALL_KEY.test(text)
}

function quotesTouchStructure(text: string): boolean {
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i + 1)) {
    const next = text[after(text, i + 1, '')] ?? ''
    const last = text[before(text, i, '')] ?? ''
    if ((next !== '' && STRUCTURE.includes(next)) || (last !== '' && STRUCTURE.includes(last))) return true
    // Two quotes with no word between them: a comma may have stood there.
    const close = text.indexOf('"', i + 1)
    if (close > 0 && !/[\p{L}\p{N}]/u.test(text.slice(i + 1, close))) return true
  }
  return false
}

function holdsKnownKey(text: string, around: readonly SwallowedAround[], bareKeys: boolean): boolean {
  for (const found of text.matchAll(WORD)) {
    const [word] = found
    if (word.length > 128) continue
    const end = found.index + word.length
    if (followsValue(text, found.index, end) && around.some(({ shape }) => shape?.has(word) === true)) return true
    if (!around.some((one) => isMissing(one, word))) continue
    const quoteBehind = text[end] === '"'
    const quoted = quoteBehind || text[found.index - 1] === '"'
    const next = text[after(text, end, '"')] ?? ''
    // Behind it, or before it, the structure is whole: only one sign was lost.
    if (quoteBehind && text[after(text, end + 1, '')] === ':') return true
    // Keys that have no quotes are told by the signs beside them alone.
    if (bareKeys && isStructure(text[before(text, found.index, '')]) && isStructure(text[after(text, end, '')]))
      return true
    const opens = ',{'.includes(text[before(text, found.index, '"')] ?? ' ')
    const ends = /[^\s\p{L}\p{N}]/u.test(text[end] ?? '')
    if (opens && (next === ':' || (quoted && (ends || STARTS_VALUE.test(next))))) return true
  }
  return false
}

/** `","key":`, `","key,:`: the end of a value and the next key, whole but for one sign; also where a key repeats. */
function followsValue(text: string, start: number, end: number): boolean {
  const comma = before(text, start - 1, '')
  return (
    text[start - 1] === '"' &&
    text[comma] === ',' &&
    text[before(text, comma, '')] === '"' &&
    /[:{[]/.test(text.slice(end, end + 3))
  )
}

/** A known and missing key that is no word, with a quote at one of its sides. Written with escapes or without. */
const holdsOddKey = (value: string, around: readonly SwallowedAround[]): boolean =>
  around.some(
    ({ shape, present, inList }) =>
      shape?.odd.some((key) => (inList || !present.has(key)) && standsInQuotes(value, key)) ?? false,
  )

function standsInQuotes(text: string, key: string): boolean {
  for (let i = text.indexOf(key); i >= 0; i = text.indexOf(key, i + 1))
    if (isQuote(text.charCodeAt(i - 1)) || isQuote(text.charCodeAt(i + key.length)))
      return key !== '' || text[i + 1] === ':'
  return false
}

const isStructure = (sign: string | undefined): boolean => sign !== undefined && STRUCTURE.includes(sign)

const isMissing = ({ shape, present, inList }: SwallowedAround, word: string): boolean =>
  shape !== null && shape.has(word) && (inList || !present.has(word))

/** The place of the next character that is neither white space nor one of `signs`. */
function after(text: string, from: number, signs: string): number {
  let i = from
  while (i < text.length && (/\s/.test(text[i] ?? '') || signs.includes(text[i] ?? ''))) i++
  return i
}

/** The place of the last character before `to` that is neither white space nor one of `signs`; -1 for none. */
function before(text: string, to: number, signs: string): number {
  let i = to - 1
  while (i >= 0 && (/\s/.test(text[i] ?? '') || signs.includes(text[i] ?? ''))) i--
  return i
}
