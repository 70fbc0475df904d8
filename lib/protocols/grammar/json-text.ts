import {
  alt,
  chars,
  charsBut,
  lit,
  many,
  seq,
  type CharsNode,
  type Grammar,
  type TextNode,
  optional,
  type Random,
} from './grammar'
import type { JsonObject } from '@/lib/base/json'

/** How a form writes a JSON text: which characters stay as they are, and how any text is written. */
export interface JsonTextForm {
  /** One character without an escape. */
  readonly plain: Grammar
  /** Characters that the form can't contain; they become escapes. */
  readonly escapes: RegExp | null
  /** One JSON text with this many characters (code points). */
  readonly text: (min: number, max: number) => Grammar
}

/** Longer bounds are ignored, because servers expand them character by character. */
const MOST_COUNTED = 1000

const HEX: CharsNode = chars(['0', '9'], ['a', 'f'], ['A', 'F'])
const SHORT = chars('"\\/bfnrt')
const anyEscape = seq(lit('\\'), alt(SHORT, seq(lit('u'), many(HEX, 4, 4))))
/** A lone surrogate would count as a character of its own. */
const wholeEscape = seq(
  lit('\\'),
  alt(
    SHORT,
    seq(
      lit('u'),
      alt(
        seq(chars(['0', '9'], ['a', 'c'], ['A', 'C'], 'eEfF'), many(HEX, 3, 3)),
        seq(chars('dD'), chars(['0', '7']), many(HEX, 2, 2)),
      ),
    ),
  ),
)

/** The characters of a JSON text that need no escape. */
export const PLAIN_JSON: CharsNode = charsBut('"\\', ['\u0000', '\u001f'], '\u007f')

export function jsonTextForm(plain: Grammar, escapes: RegExp | null = null): JsonTextForm {
  const write = (text: string, random: Random): string => {
    const json = JSON.stringify(text).slice(1, -1).replaceAll('\u007f', '\\u007f')
    const escaped = escapes ? json.replaceAll(escapes, escapeOf) : json
    return random.chance(0.25) ? escapedAtWill(escaped, random) : escaped
  }
  const free = textNode(seq(lit('"'), many(alt(plain, anyEscape)), lit('"')), 0, Infinity, write)
  return {
    plain,
    escapes,
    text(min, max) {
      if (min === 0 && max === Infinity) return free
      const body = many(alt(plain, wholeEscape), Math.min(min, MOST_COUNTED), max > MOST_COUNTED ? Infinity : max)
      return textNode(seq(lit('"'), body, lit('"')), min, max, (text, random) =>
        text.isWellFormed() ? withoutPairs(write(text, random)) : null,
      )
    },
  }
}

export const isCounted = (bound: number): boolean => bound <= MOST_COUNTED

const textNode = (
  of: Grammar,
  min: number,
  max: number,
  write: (text: string, random: Random) => string | null,
): TextNode => ({
  kind: 'text',
  of,
  min,
  max,
  write(text, random) {
    const body = write(text, random)
    return body === null ? null : `"${body}"`
  },
})

export const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes some characters that do not need it: an escaped text is not a mark of the form, and reads the same. */
const escapedAtWill = (json: string, random: Random): string =>
  json.replaceAll(/\\u[\da-f]{4}|\\.|[^\\]/gsu, (one) =>
    one.startsWith('\\') || random.chance(0.6) ? one : one === '/' ? '\\/' : one.split('').map(escapeOf).join(''),
  )

/** Surrogate pairs written as two escapes, replaced by their character. */
const withoutPairs = (json: string): string =>
  json.replaceAll(/\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, (found) =>
    found === '\\\\' ? found : String(JSON.parse(`"${found}"`)),
  )

export const plainJson = jsonTextForm(PLAIN_JSON)

/** Numbers with more digits are kept as text: a double can't hold every such number. */
const MOST_DIGITS = 15

const DIGIT = chars(['0', '9'])
const natural = alt(lit('0'), seq(chars(['1', '9']), many(DIGIT, 0, MOST_DIGITS - 1)))
const fraction = seq(lit('.'), many(DIGIT, 1, MOST_DIGITS))
const exponent = seq(chars('eE'), optional(chars('+-')), chars(['1', '9']), optional(DIGIT))

const anyInteger = alt(lit('0'), seq(optional(lit('-')), chars(['1', '9']), many(DIGIT, 0, MOST_DIGITS - 1)))
const anyNumber = seq(optional(lit('-')), natural, optional(fraction), optional(exponent))
const noNegative = seq(natural, optional(fraction), optional(exponent))

/**
 * Numbers of a schema: integers within their bounds, other numbers constrained only by sign. `said` lists the bounds
 * that are enforced.
 */
export function numberGrammar(
  schema: JsonObject,
  whole: boolean,
): { readonly of: Grammar; readonly said: readonly string[] } {
  const low = boundOf(schema, 'minimum', 'exclusiveMinimum', whole ? 1 : 0)
  const high = boundOf(schema, 'maximum', 'exclusiveMaximum', whole ? -1 : 0)
  if (whole) {
    const least = low === null ? null : Math.ceil(low)
    const most = high === null ? null : Math.floor(high)
    const limit = 10 ** MOST_DIGITS - 1
    const inside = (bound: number | null) => bound === null || Math.abs(bound) <= limit
    if ((least === null && most === null) || !inside(least) || !inside(most)) return { of: anyInteger, said: [] }
    if (least !== null && most !== null && least > most) return { of: anyInteger, said: [] }
    return { of: integersBetween(least ?? -limit, most ?? limit), said: BOUNDS }
  }
  const positive = low !== null && low >= 0
  return { of: positive ? noNegative : anyNumber, said: low === 0 && schema['minimum'] === 0 ? ['minimum'] : [] }
}

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** The stricter of a bound and its exclusive form; with an exclusive bound, integers begin one `step` further. */
function boundOf(schema: JsonObject, plain: string, exclusive: string, step: number): number | null {
  const own = schema[plain]
  const beyond = schema[exclusive]
  const found = [
    ...(typeof own === 'number' ? [own] : []),
    ...(typeof beyond === 'number' ? [Number.isInteger(beyond) ? beyond + step : beyond] : []),
  ]
  if (found.length === 0) return null
  return plain === 'minimum' ? Math.max(...found) : Math.min(...found)
}

function integersBetween(least: number, most: number): Grammar {
  if (least < 0 && most < 0) return seq(lit('-'), naturalsBetween(-most, -least))
  if (least < 0)
    return alt(...(least === 0 ? [] : [seq(lit('-'), naturalsBetween(1, -least))]), naturalsBetween(0, most))
  return naturalsBetween(least, most)
}

/** Integers by their digits, one length at a time. */
function naturalsBetween(least: number, most: number): Grammar {
  const shortest = String(least).length
  const longest = String(most).length
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, i) => shortest + i)
  return alt(
    ...lengths.map((length) => {
      const from = length === shortest ? String(least) : `1${'0'.repeat(length - 1)}`
      const to = length === longest ? String(most) : '9'.repeat(length)
      return sameLength(from, to)
    }),
  )
}

function sameLength(from: string, to: string): Grammar {
  if (from === '') return lit('')
  const rest = from.length - 1
  if (/^0*$/.test(from.slice(1)) && /^9*$/.test(to.slice(1)))
    return seq(chars([from.charAt(0), to.charAt(0)]), ...(rest > 0 ? [many(DIGIT, rest, rest)] : []))
  const first = Number(from.charAt(0))
  const last = Number(to.charAt(0))
  if (first === last) return seq(lit(from.charAt(0)), sameLength(from.slice(1), to.slice(1)))
  const parts = [seq(lit(String(first)), sameLength(from.slice(1), '9'.repeat(rest)))]
  if (last - first > 1) parts.push(seq(chars([String(first + 1), String(last - 1)]), many(DIGIT, rest, rest)))
  parts.push(seq(lit(String(last)), sameLength('0'.repeat(rest), to.slice(1))))
  return alt(...parts)
}
