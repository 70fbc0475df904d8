import type { Delimiter } from '../strategy-facts'
import { literalPattern } from '../scan/literal-pattern'
import { dialectMarks } from './dialect-marks'

/** Takes the power from texts of others: what it gives holds no delimiter of any strategy or dialect. */
export interface Neutraliser {
  /**
   * JSON text in which the first character of each mark is written as `\uXXXX`. Marks only stand inside JSON strings, so
   * `JSON.parse` gives the same value back, and a model that copies a value writes what was meant.
   */
  json(json: string): string
  /** A name or an id as the value of an XML attribute. */
  attribute(text: string): string
}

/** `marks` are those of the strategies; the dialects that models know bring their own. */
export function createNeutraliser(marks: readonly Delimiter[]): Neutraliser {
  const all = [...dialectMarks, ...marks]
  const inJson = anyOf(all.flatMap((mark) => (typeof mark === 'string' ? literalInJson(mark) : [mark.source])))
  const inText = anyOf([
    '[&<>"\'`~[{\\n\\r]',
    ...all.flatMap((mark) => (typeof mark === 'string' ? literal(mark) : [mark.source])),
  ])
  return {
    json: (json) => json.replaceAll(inJson, escapeUnit),
    attribute: (text) =>
      text.replaceAll(inText, (char) =>
        char === '&' ? '&amp;' : char === '"' ? '&quot;' : `&#${char.charCodeAt(0)};`,
      ),
  }
}

const anyOf = (sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'gi')

const escapeUnit = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The first unit of a literal, where the rest follows. */
const literal = (mark: string): readonly string[] =>
  mark === ''
    ? []
    : [`${literalPattern(mark.charAt(0))}${mark.length > 1 ? `(?=${literalPattern(mark.slice(1))})` : ''}`]

/** The same where it stands in JSON: of what JSON itself escapes, nothing may be escaped once more. */
function literalInJson(mark: string): readonly string[] {
  const [, before = '', first = '', rest = ''] =
    /^((?:\\u[\da-f]{4}|\\[^u])*)([^]?)([^]*)$/.exec(JSON.stringify(mark).slice(1, -1)) ?? []
  if (first === '') return []
  return [
    `${before === '' ? '' : `(?<=${literalPattern(before)})`}${literalPattern(first)}${rest === '' ? '' : `(?=${literalPattern(rest)})`}`,
  ]
}
