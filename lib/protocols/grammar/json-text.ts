import { alt, chars, charsBut, lit, many, seq } from './grammar'
import type { CharsNode, Grammar, TextNode } from './grammar'
import type { Random } from './random'

/** How a form writes a JSON text: which characters stand as they are, and how any text is said. */
export interface JsonTextForm {
  /** One character without an escape. */
  readonly plain: Grammar
  /** What the form can't hold as it is becomes an escape. */
  readonly escapes: RegExp | null
  /** One JSON text of so many characters (code points). */
  readonly text: (min: number, max: number) => Grammar
}

/** Longer bounds are left open: servers write them out character by character. */
const MOST_COUNTED = 1000

const HEX: CharsNode = chars(['0', '9'], ['a', 'f'], ['A', 'F'])
const SHORT = chars('"\\/bfnrt')
const anyEscape = seq(lit('\\'), alt(SHORT, seq(lit('u'), many(HEX, 4, 4))))
/** Half of a pair would count as a character of its own. */
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

/** Some characters as escapes that need none: what was written so is no mark, and reads the same. */
const escapedAtWill = (json: string, random: Random): string =>
  json.replaceAll(/\\u[\da-f]{4}|\\.|[^\\]/gsu, (one) =>
    one.startsWith('\\') || random.chance(0.6) ? one : one === '/' ? '\\/' : one.split('').map(escapeOf).join(''),
  )

/** Pairs that were escaped by halves, as the character that they are. */
const withoutPairs = (json: string): string =>
  json.replaceAll(/\\\\|\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, (found) =>
    found === '\\\\' ? found : String(JSON.parse(`"${found}"`)),
  )

export const plainJson = jsonTextForm(PLAIN_JSON)
