import type { JsonObject } from '@/lib/base/json'
import { alt, chars, lit, many, optional, seq } from './grammar'
import type { Grammar } from './grammar'

/** More digits are kept as text: a double can't hold every such number. */
const MOST_DIGITS = 15

const DIGIT = chars(['0', '9'])
const natural = alt(lit('0'), seq(chars(['1', '9']), many(DIGIT, 0, MOST_DIGITS - 1)))
const fraction = seq(lit('.'), many(DIGIT, 1, MOST_DIGITS))
const exponent = seq(chars('eE'), optional(chars('+-')), chars(['1', '9']), optional(DIGIT))

const anyInteger = alt(lit('0'), seq(optional(lit('-')), chars(['1', '9']), many(DIGIT, 0, MOST_DIGITS - 1)))
const anyNumber = seq(optional(lit('-')), natural, optional(fraction), optional(exponent))
const noNegative = seq(natural, optional(fraction), optional(exponent))

/** Numbers of a schema: whole numbers within their bounds, others by their sign alone. `said` names the bounds that are held. */
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

/** The stricter of a bound and its exclusive form; whole numbers begin one `step` behind the latter. */
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

/** Whole numbers by their digits, a length at a time. */
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
