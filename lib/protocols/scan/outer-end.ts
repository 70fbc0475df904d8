import type { JsonValue } from '@/lib/base/json'
import type { Dialect } from '../arguments/dialect'
import * as Char from '../text/char'
import { isLetter, isSpace } from '../text/characters'
import type { Draft } from './draft'
import type { ResultFrames } from './result-frames'

/*
 * {"name":"write_file","arguments":{"content":"Write "}},{"name":"run","arguments":{…}} to run."}}
 *
 * A text with bare quotation marks that holds the end of its own call, and a call behind it. What is left over behind the last
 * call gives it away: the end of the outer call, whose beginning was taken for a whole call. Nobody knows which of the calls
 * before it is the outer one, and the others may be its text.
 */

type CallDraft = Extract<Draft, { kind: 'call' }>

const DETAIL = 'it goes on behind its end: quotation marks inside a text are not escaped'

/** The live calls before what is left over of a call: the first may be the damaged one, the others may be data. */
export function doubtBeforeOuterEnd(
  drafts: readonly Draft[],
  text: string,
  { traces }: Dialect,
  frames: Pick<ResultFrames, 'holdsAnswer'>,
): readonly Draft[] {
  const first = drafts.findIndex(isLive)
  if (first < 0 || !traces) return drafts
  const last = lastOuterEnd(drafts, first, text, traces, frames)
  if (last < 0) return drafts
  return drafts.map((draft, i): Draft => {
    if (i > last || !isLive(draft)) return draft
    if (i > first) return { ...draft, standing: 'quoted' }
    const { start, end, call } = draft
    return {
      kind: 'broken',
      start,
      end,
      breakage: { reason: 'bad-json', name: call.name, at: end, detail: DETAIL },
      around: text.slice(Math.max(start, end - 20), end + 20),
    }
  })
}

/** The last draft behind the first live call that holds the end of a call before it; -1 for none. */
function lastOuterEnd(
  drafts: readonly Draft[],
  first: number,
  text: string,
  { outerEnd, endInBroken }: NonNullable<Dialect['traces']>,
  frames: Pick<ResultFrames, 'holdsAnswer'>,
): number {
  let last = -1
  const rest = new JsonRest()
  const outside = new JsonRest()
  const plain = new JsonRest()
  for (let i = first; i < drafts.length; i++) {
    const draft = drafts[i]
    if (!draft || draft.kind === 'reasoning') continue
    const written = text.slice(draft.start, draft.end)
    if (draft.kind === 'call') {
      const open = bracketsLeft(written)
      rest.begin(open)
      outside.begin(open)
      plain.begin(open)
      if (i > first && draft.standing !== 'foreign' && tookAnEnd(draft)) last = i
      continue
    }
    // What a result holds is nobody's call, and may hold any signs.
    if (i === first || (draft.kind === 'text' && frames.holdsAnswer(written))) continue
    const damaged = draft.kind === 'broken' && draft.breakage.whole !== true
    // Brackets in texts count where nobody knows what a text is; in whole words they must be left over in every way.
    const anywhere = rest.take(written.replace(SPAN, ' '))
    const unescaped = plain.take(damaged ? written : withoutTexts(written.replaceAll('\\', ' ')))
    const leaves = outside.take(damaged ? written : withoutTexts(written)) && anywhere && unescaped
    const others = draft.kind === 'text' ? outerEnd?.(written) : endInBroken?.(written)
    if (leaves || others === true) last = i
  }
  return last
}

const STRING = /"(?:[^"\\]|\\.)*"/gs
/** Code in a line is spoken of. */
const SPAN = /(?<!`)`(?!`)[^`\n]{1,200}`(?!`)/g

/** What stands in texts, or in code that is spoken of, is no structure. Where a quotation mark is left over, the first one ends a text. */
const withoutTexts = (written: string): string =>
  (quotesIn(written) % 2 === 0 ? written : `"${written}`).replace(STRING, '""').replace(SPAN, ' ')

const quotesIn = (text: string): number => text.replaceAll(/\\./gs, '').split('"').length - 1

/** How many brackets a call in JSON opens that it does not close: those of its list. */
function bracketsLeft(written: string): number {
  let depth = 0
  for (const [sign] of written.replace(STRING, '').matchAll(/[{}[\]]/g)) depth += sign === '{' || sign === '[' ? 1 : -1
  return depth
}

const isLive = (draft: Draft): draft is CallDraft => draft.kind === 'call' && draft.standing === 'live'

/** Whether a call behind another one has the end of that one in its texts, or brackets too many and no meaning. */
function tookAnEnd({ call }: CallDraft): boolean {
  if (call.repairs.includes('extra-bracket') && call.problem !== null) return true
  return call.repairs.includes('bare-quote') && holdsText(call.arguments, leavesJsonEnd)
}

const holdsText = (value: JsonValue, test: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((one: JsonValue) => holdsText(one, test))

/** What closes the markup around JSON: with it one bracket is enough. */
const MARKUP = /\s*(?:<\/|<<<?\[END|```)/y

/** What the last sign of a value in JSON is, before a bracket that closes. */
const endsValue = (unit: number): boolean => unit === Char.QUOTE || isLetter(unit) || (unit >= 0x30 && unit <= 0x39)

/** Whether a text holds the end of a JSON call that begins before it. */
const leavesJsonEnd = (text: string): boolean => new JsonRest().take(text)

/**
 * What stands behind calls in JSON: it holds the end of one that begins before it when two or more brackets close that neither
 * it nor the list around it opened, behind a quotation mark on their line.
 */
class JsonRest {
  /** Brackets that are open, those of the list among them. */
  private depth = 0
  private surplus = 0
  /** Closing brackets right before, with nothing but white space between them. */
  private run = 0
  private quoted = false

  /** A call ends here that leaves so many brackets of its list open. */
  begin(open: number): void {
    this.depth = Math.max(0, this.depth + open)
    this.surplus = 0
    this.run = 0
    this.quoted = false
  }

  take(text: string): boolean {
    let before = -1
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) {
        if (this.run > 0 || endsValue(before)) this.run++
        if (this.depth > 0) this.depth--
        else if (this.run > 0) this.surplus++
        MARKUP.lastIndex = i + 1
        const many = this.run > 1 || this.surplus > 1
        if (this.quoted && this.run > 0 && this.surplus > 0 && (many || MARKUP.test(text))) return true
      } else if (unit === Char.LINE_FEED) {
        // The brackets of an object that is written over lines stand on lines of their own.
        if (this.run === 0 && before !== Char.QUOTE) this.quoted = false
      } else if (!isSpace(unit)) {
        this.run = 0
        if (unit === Char.QUOTE) this.quoted = true
        else if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) this.depth++
      }
      if (!isSpace(unit)) before = unit
    }
    return false
  }
}
