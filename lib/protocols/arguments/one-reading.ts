import type { JsonNode } from '../json-repair/node'
import type { Crossing, Shape } from '../json-repair/json-reading'
import type { RepairCode } from '../types/segment'
import { normaliseKey } from './schema'
import { isQuote } from '../json-repair/characters'
import { FIELD_MARKS } from '../text/source'

/** An object that encloses a string. */
interface SwallowedContext {
  /** Null: the object may have any keys. */
  readonly shape: Shape | null
  readonly present: ReadonlySet<string>
  /** The object is an item of a list: others with the same keys may follow. */
  readonly inList: boolean
}

const WORD = /[\p{L}\p{N}_$.-]+/gu
const FIELD_MARK = new RegExp(`[${FIELD_MARKS}]`, 'g')
const STRUCTURE = '{}[]:,"'
const STARTS_VALUE = /[{}[\]:,"\d\-tfn]/

/**
 * Whether a string that was read by guessing seems to have swallowed structure: a known key that is missing around it,
 * the end of an object and what follows it, or a doubled quote at its edge. `written` is the string as written, with
 * its escapes masked; `value` is its content. In lists and in objects with any keys, every quote beside a structural
 * character counts.
 */
function swallowsStructure(
  written: string,
  value: string,
  around: readonly SwallowedContext[],
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
  around: readonly SwallowedContext[],
  inList: boolean,
  repairs: ReadonlySet<RepairCode>,
): boolean {
  const anyKey = inList || around.some(({ shape }) => shape === null || shape.open)
  return (
    doublesQuote(text) ||
    beginsWithKey(text) ||
    leavesObject(text) ||
    holdsNextCall(text) ||
    holdsNearKey(text, around) ||
    (anyKey && quotesTouchStructure(text)) ||
    holdsKnownKey(text, around, repairs.has('unquoted-key'))
  )
}

/** If the call uses other quotes, commas and colons, these are its structure. */
function inPlainSigns(written: string, repairs: ReadonlySet<RepairCode>): string {
  let text = written
  if (repairs.has('quote-token')) text = text.replaceAll('<|"|>', '"')
  if (repairs.has('smart-quote')) text = text.replaceAll(text.includes('‘') ? /[“”„＂‘’]/g : /[“”„＂]/g, '"')
  if (repairs.has('single-quotes')) text = text.replaceAll("'", '"')
  if (repairs.has('backtick-string')) text = text.replaceAll('`', '"')
  if (repairs.has('full-width-punctuation')) text = text.replaceAll('，', ',').replaceAll('：', ':')
  return text
}

/**
 * `""tea"` and `"tea""`: an unpaired quote at the edge may be part of the string, written twice; and with white space
 * or a comma between the two, one of them may stand in the place of another character.
 */
function doublesQuote(text: string): boolean {
  if (!/^[\s,]*"|"[\s,]*$/.test(text)) return false
  let quotes = 0
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i + 1)) quotes++
  return quotes % 2 === 1
}

/** `key":1`: what is left of an object that lost its brace. */
const beginsWithKey = (text: string): boolean => /^[^"]{0,128}"\s{0,20}:/.test(text)

/** `…"},{"…`: a bracket closes something that was not opened in the string, and structure continues after it. */
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
      // A closing bracket after it doesn't close anything of the string either.
      i = Math.max(i, next - 1)
    }
  }
  return false
}

const CALL_KEY = /[{,]\s*"?(?:name|tool_name|arguments|tool_calls|action)"?\s*:/g

/** A call's key after a closing bracket: the call ended inside the string, and another call begins there. */
function holdsNextCall(text: string): boolean {
  const closed = text.search(/[}\]]/)
  if (closed < 0) return false
  CALL_KEY.lastIndex = closed
  return CALL_KEY.test(text)
}

const MEMBER = /"\s*,\s*([^\s:,{}[\]]{2,80})\s*:/g

/** `","boddy":`, `",xbody":`, `","bo"y":`: the end of a value and a known, missing key with one wrong character. */
const holdsNearKey = (text: string, around: readonly SwallowedContext[]): boolean =>
  [...text.matchAll(MEMBER)].some(([, written = '']) => {
    const words = [written.replaceAll(/^"{1,2}|"{1,2}$/g, ''), written.replaceAll('"', '')]
    return around.some(({ shape, present, inList }) =>
      words.some((word) =>
        shape?.near(word).some((key) => inList || ![...present].some((one) => normaliseKey(one) === key)),
      ),
    )
  })

function quotesTouchStructure(text: string): boolean {
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i + 1)) {
    const next = text[after(text, i + 1, '')] ?? ''
    const last = text[before(text, i, '')] ?? ''
    if ((next !== '' && STRUCTURE.includes(next)) || (last !== '' && STRUCTURE.includes(last))) return true
    // Two quotes with nothing, or one character, between them: a comma may have been there.
    const close = text.indexOf('"', i + 1)
    if (close > 0 && (text.slice(i + 1, close).trim().length <= 1 || !/[\p{L}\p{N}]/u.test(text.slice(i + 1, close))))
      return true
  }
  return false
}

function holdsKnownKey(text: string, around: readonly SwallowedContext[], bareKeys: boolean): boolean {
  for (const found of text.matchAll(WORD)) {
    const [word] = found
    if (word.length > 128) continue
    const end = found.index + word.length
    if (followsValue(text, found.index, end) && around.some(({ shape }) => shape?.has(word) === true)) return true
    if (!around.some((one) => isMissing(one, word))) continue
    const quoteBehind = text[end] === '"'
    const quoted = quoteBehind || text[found.index - 1] === '"'
    const next = text[after(text, end, '"')] ?? ''
    // The structure after it or before it is intact: only one character was lost.
    if (quoteBehind && text[after(text, end + 1, '')] === ':') return true
    // Keys without quotes are recognised only by the structural characters beside them.
    if (bareKeys && isStructure(text[before(text, found.index, '')]) && isStructure(text[after(text, end, '')]))
      return true
    const opens = ',{'.includes(text[before(text, found.index, '"')] ?? ' ')
    const ends = /[^\s\p{L}\p{N}]/u.test(text[end] ?? '')
    if (opens && (next === ':' || (quoted && (ends || STARTS_VALUE.test(next))))) return true
  }
  return false
}

/** `","key":`, `","key,:`: the end of a value and the next key, intact but for one character; also if a key repeats. */
function followsValue(text: string, start: number, end: number): boolean {
  const comma = before(text, start - 1, '')
  return (
    text[start - 1] === '"' &&
    text[comma] === ',' &&
    text[before(text, comma, '')] === '"' &&
    /[:{[]/.test(text.slice(end, end + 3))
  )
}

/** A known, missing key that is not an identifier, with a quote on one side, with or without escapes. */
const holdsOddKey = (value: string, around: readonly SwallowedContext[]): boolean =>
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

const isMissing = ({ shape, present, inList }: SwallowedContext, word: string): boolean =>
  shape !== null && shape.has(word) && (inList || !present.has(word))

/** The position of the next character that is neither white space nor in `signs`. */
function after(text: string, from: number, signs: string): number {
  let i = from
  while (i < text.length && (/\s/.test(text[i] ?? '') || signs.includes(text[i] ?? ''))) i++
  return i
}

/** The position of the last character before `to` that is neither white space nor in `signs`; -1 for none. */
function before(text: string, to: number, signs: string): number {
  let i = to - 1
  while (i >= 0 && (/\s/.test(text[i] ?? '') || signs.includes(text[i] ?? ''))) i--
  return i
}

/** What was uncertain about a reading. */
export interface Doubts {
  /** The reader guessed which quotes end a string. */
  readonly guessed: boolean
  /** A brace or a bracket was accepted as the end of something that it does not close. */
  readonly crossed: Crossing
  readonly repairs: ReadonlySet<RepairCode>
}

/**
 * Why the arguments of a call could have another meaning; null when only one reading agrees with the tool's schema.
 * Where a quote, a comma or a bracket was lost, a value may have swallowed the text after it, and an object may have
 * taken keys from its neighbours or lost keys to them.
 */
export function secondReading(args: JsonNode, shape: Shape | null, doubts: Doubts): string | null {
  const missing = doubts.repairs.has('missing-bracket')
  const surplus = doubts.crossed !== null || doubts.repairs.has('extra-bracket')
  const mended = SIGNS.some((code) => doubts.repairs.has(code))
  if (!doubts.guessed && !missing && !surplus && !mended) return null
  // Brackets are not added on top of a guess about quotes.
  if (doubts.guessed && missing) return QUOTES
  // `}"b":1` instead of `,"b":1`: the brace may have replaced the comma.
  if ((missing || surplus) && doubts.repairs.has('missing-comma')) return BRACKETS
  // One bracket is missing and another is surplus: an object ended in the wrong place.
  if (missing && doubts.crossed !== 'brace' && doubts.repairs.has('extra-bracket')) return BRACKETS
  return lookInto(args, shape, [], false, { guessed: doubts.guessed, missing, surplus, repairs: doubts.repairs })
}

interface Appearance {
  readonly guessed: boolean
  readonly missing: boolean
  readonly surplus: boolean
  readonly repairs: ReadonlySet<RepairCode>
}

/** Separators between tokens that were added. */
const SIGNS: readonly RepairCode[] = ['missing-comma', 'missing-colon', 'missing-quote']
const NOTHING: ReadonlySet<string> = new Set()
const BRACKETS = 'a bracket is missing or too many, and more than one place is possible for it'
const QUOTES = 'quotation marks inside a text are not escaped'

function lookInto(
  node: JsonNode,
  shape: Shape | null,
  around: readonly SwallowedContext[],
  inList: boolean,
  look: Appearance,
): string | null {
  if (node.kind === 'string')
    return node.guessed !== undefined && swallowsStructure(node.guessed, node.value, around, inList, look.repairs)
      ? QUOTES
      : null
  if (node.kind === 'array') {
    // A lost bracket of a list inside a list may belong after any of its items.
    if (look.missing && node.items.some((item) => item.kind === 'array')) return BRACKETS
    for (const item of node.items) {
      const found = lookInto(item, shape, around, true, look)
      if (found !== null) return found
    }
    return null
  }
  if (node.kind !== 'object') return null
  const own = { shape, present: new Set(node.entries.map(({ key }) => key)), inList }
  if (own.present.size < node.entries.length) return QUOTES
  if (shape && !shape.open && node.entries.some(({ key }) => !shape.has(key))) return look.guessed ? QUOTES : BRACKETS
  // `[{,"next":1`: the brace may have replaced a closing bracket.
  if (look.missing && node.opensWithComma) return BRACKETS
  const parent = inList ? undefined : around[0]
  // An object that lost its brace keeps keys that may belong to the enclosing object.
  if (look.missing && parent && node.entries.slice(node.opensWithComma ? 0 : 1).some(({ key }) => accepts(parent, key)))
    return BRACKETS
  for (const [i, { key, node: child }] of node.entries.entries()) {
    const inner = shape?.child(key, null) ?? null
    const rest = node.entries.slice(i + 1)
    // An object that was closed too early has lost the keys after it.
    if (look.surplus && child.kind === 'object' && rest.length > 0) {
      const taken = { shape: inner, present: new Set(child.entries.map((entry) => entry.key)), inList: false }
      if (rest.every((entry) => accepts(taken, entry.key))) return BRACKETS
    }
    // `"key":"inner":1`: a string may be what is left of an object that lost its brace.
    const lost = child.kind === 'string' && inner ? [{ shape: inner, present: NOTHING, inList: false }] : []
    const found = lookInto(child, inner, [...lost, own, ...around], false, look)
    if (found !== null) return found
  }
  return null
}

/** Whether an object may have this key in addition to those it has. */
const accepts = ({ shape, present }: SwallowedContext, key: string): boolean =>
  !present.has(key) && (shape === null || shape.open || shape.has(key))
