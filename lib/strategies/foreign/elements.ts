import * as Char from '../text/char'
import type { Source } from '../text/source'

export interface ElementContent {
  readonly text: string
  readonly end: number
}

const CDATA = '<![CDATA['

/**
 * The value up to the first `closer` behind which the call goes on, white space skipped: another one inside a file that
 * is being written is data. CDATA is unwrapped, and protects whatever stands in it.
 */
export function valueUntil(
  source: Source,
  from: number,
  closer: string,
  goesOn: (i: number) => boolean,
): ElementContent | null {
  const first = source.skipSpace(from)
  const cdata = source.at(first) === Char.LESS && source.has(first, CDATA)
  const ending = cdata ? ']]>' : closer
  for (let i = cdata ? first + CDATA.length : from; ; i++) {
    i = source.find(ending, i)
    if (i < 0) return null
    const close = cdata ? source.skipSpace(i + ending.length) : i
    if (cdata && !source.has(close, closer)) continue
    // Its own end was damaged: it ran on into another section.
    if (cdata && source.text.slice(first + CDATA.length, i).includes(`>${CDATA}`)) return null
    const end = close + closer.length
    if (!goesOn(source.skipSpace(end))) continue
    return {
      text: cdata ? source.text.slice(first + CDATA.length, i) : withoutNewlines(source.text.slice(from, i)),
      end,
    }
  }
}

/** At most one newline goes at each end, nothing else. */
const withoutNewlines = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')

/** The value of an attribute in the text of an opening tag. */
export function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>/]+))`, 'i').exec(attributes)
  return found ? (found[1] ?? found[2] ?? found[3] ?? '') : null
}
