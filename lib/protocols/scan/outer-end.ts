import type { JsonValue } from '@/lib/base/json'
import type { Dialect } from '../arguments/dialect'
import * as Char from '../text/source'
import type { Draft } from './draft'
import { withoutSpans } from './fences'
import type { ResultFrame } from '../types/strategy-facts'
import { type Source, isLetter, isSpace } from '../text/source'
import { literalPattern } from '@/lib/base/text/characters'
import { readTag } from './tags'
import type { Region } from './markup-regions'

/**
 * The opener of a frame contains ids and names of any length, in character references. The search stops at the next
 * `<`.
 */
const MAX_FRAME_OPENER = 100_000
/** Elements in which other chat apps put results. */
const FOREIGN_ELEMENTS = ['tool_response', 'function_results', 'tool_output']

/** How results are framed, in all strategies and beyond: an echoed or invented result is never a call. */
export interface ResultFrames {
  /** Characters at which a frame may end. */
  readonly closers: string
  /** The opener of a frame at `i`, the first character of its line. */
  readOpener(source: Source, i: number, afterCall: boolean): { readonly region: Region; readonly end: number } | null
  /** Whether a result, or another speaker's turn, begins in a text that was read as the rest of a broken call. */
  holdsAnswer(text: string): boolean
}

export function createResultFrames(frames: readonly ResultFrame[]): ResultFrames {
  const elements = [...frames.flatMap((frame) => (frame.kind === 'element' ? frame.name : [])), ...FOREIGN_ELEMENTS]
  const blocks = frames.filter((frame) => frame.kind === 'block')
  const objects = frames.filter((frame) => frame.kind === 'object')
  const blockOpeners = new Set(blocks.map(({ open }) => open.charCodeAt(0)))
  const answer = new RegExp(
    `^[ \\t]{0,8}(?:[#*]{0,4}[ \\t]{0,2}(?:observation|观察(?:结果)?)[*]{0,2}[ \\t]{0,8}[:：]|<(?:${elements.join('|')})\\b${blocks.map(({ open }) => `|${literalPattern(open)}`).join('')})` +
      (objects.length === 0 ? '' : `|^\\{\\s{0,8}(?:${objects.map(objectOpener).join('|')})`) +
      '|\\n[ \\t\\r]{0,8}\\n(?:Human|User|用户)[:：]|<\\|(?:im_start|im_end|eot_id|endoftext)\\|>',
    'im',
  )
  return {
    closers: blocks.map(({ close }) => close.charAt(0)).join(''),
    readOpener(source, i, afterCall) {
      // Called at every line: most begin with neither.
      const unit = source.at(i)
      const block = blockOpeners.has(unit) ? blocks.find(({ open }) => source.has(i, open)) : undefined
      if (block) {
        const { open, close } = block
        const closes = (inner: Source, at: number) => (inner.has(at, close) ? at + close.length : null)
        return { region: { kind: 'frame', closes }, end: i + open.length }
      }
      if (unit !== Char.LESS) return null
      for (const name of elements) {
        const tag = readTag(source, i, name, false, MAX_FRAME_OPENER)
        // A bare mention at the start of a line is not a frame, unless a call precedes it.
        if (!tag || (!afterCall && !/=/.test(tag.attributes))) continue
        const closes = (inner: Source, at: number) => readTag(inner, at, name, true)?.end ?? null
        return { region: { kind: 'frame', closes }, end: tag.end }
      }
      return null
    },
    holdsAnswer: (text) => answer.test(text),
  }
}

const objectOpener = ({ key, value }: Extract<ResultFrame, { kind: 'object' }>): string =>
  value === undefined
    ? `"${literalPattern(key)}"`
    : `"${literalPattern(key)}"\\s{0,8}:\\s{0,8}"${literalPattern(value)}"`

/*
 * {"name":"write_file","arguments":{"content":"Write "}},{"name":"run","arguments":{…}} to run."}}
 *
 * A text with bare quotes that contains the end of its own call, and a call after it. The text left over after the last
 * call reveals this: it is the end of the outer call, whose beginning was read as a whole call. Which of the calls
 * before it is the outer one is unknown, and the others may be its text.
 */

type CallDraft = Extract<Draft, { kind: 'call' }>

const DETAIL = 'it goes on behind its end: quotation marks inside a text are not escaped'

/**
 * Doubts the live calls before the leftover end of a call: the first may be the damaged one, the others may be data.
 */
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

/** The last draft after the first live call that contains the end of a call before it; -1 for none. */
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
    // The content of a result is never a call, and may contain any characters.
    if (i === first || (draft.kind === 'text' && frames.holdsAnswer(written))) continue
    const damaged = draft.kind === 'broken' && draft.breakage.whole !== true
    // Brackets in strings count if string limits are unknown; in complete prose they must be left over in every
    // reading.
    const anywhere = rest.take(withoutSpans(written))
    const unescaped = plain.take(damaged ? written : withoutTexts(written.replaceAll('\\', ' ')))
    const leaves = outside.take(damaged ? written : withoutTexts(written)) && anywhere && unescaped
    const others = draft.kind === 'text' ? outerEnd?.(written) : endInBroken?.(written)
    if (leaves || others === true) last = i
  }
  return last
}

const STRING = /"(?:[^"\\]|\\.)*"/gs

/**
 * Removes strings and mentioned code, which are not structure. If a quote is left over, the first one ends a string.
 */
const withoutTexts = (written: string): string =>
  withoutSpans((quotesIn(written) % 2 === 0 ? written : `"${written}`).replace(STRING, '""'))

const quotesIn = (text: string): number => text.replaceAll(/\\./gs, '').split('"').length - 1

/** How many brackets a JSON call opens and does not close: those of its list. */
function bracketsLeft(written: string): number {
  let depth = 0
  for (const [sign] of written.replace(STRING, '').matchAll(/[{}[\]]/g)) depth += sign === '{' || sign === '[' ? 1 : -1
  return depth
}

const isLive = (draft: Draft): draft is CallDraft => draft.kind === 'call' && draft.standing === 'live'

/** Whether a call after another one contains that one's end in its strings, or has surplus brackets and no meaning. */
function tookAnEnd({ call }: CallDraft): boolean {
  if (call.repairs.includes('extra-bracket') && call.problem !== null) return true
  return call.repairs.includes('bare-quote') && holdsText(call.arguments, leavesJsonEnd)
}

const holdsText = (value: JsonValue, test: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? test(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((one: JsonValue) => holdsText(one, test))

/** The end of the markup around JSON: with it, one bracket is enough. */
const MARKUP = /\s*(?:<\/|<<<?\[END|```)/y

/** Whether the unit can be the last of a JSON value, before a closing bracket. */
const endsValue = (unit: number): boolean => unit === Char.QUOTE || isLetter(unit) || (unit >= 0x30 && unit <= 0x39)

/** Whether a text contains the end of a JSON call that begins before it. */
const leavesJsonEnd = (text: string): boolean => new JsonRest().take(text)

/**
 * Analyses the text after JSON calls. It contains the end of an earlier call if at least two brackets close that
 * neither the text nor the list around it opened, after a quote on the same line.
 */
class JsonRest {
  /** Open brackets, including those of the list. */
  private depth = 0
  private surplus = 0
  /** Closing brackets directly before, separated only by white space. */
  private run = 0
  /** How many of the run close an object that the text itself opened. */
  private whole = 0
  private quoted = false

  /** A call ends here and leaves this many brackets of its list open. */
  begin(open: number): void {
    this.depth = Math.max(0, this.depth + open)
    this.surplus = 0
    this.run = 0
    this.whole = 0
    this.quoted = false
  }

  take(text: string): boolean {
    let before = -1
    // Where a value begins that the text itself opens, and how many of its brackets are open.
    let from = -1
    let open = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) {
        if (this.run > 0 || endsValue(before)) this.run++
        if (open > 0 && --open === 0 && isJson(text.slice(from, i + 1))) this.whole = this.run
        if (this.depth > 0) this.depth--
        else if (this.run > 0) this.surplus++
        MARKUP.lastIndex = i + 1
        // `{"a":1}]`: one bracket after a value in prose does not close a call.
        const spoken = this.whole > 0 && this.run === this.whole + 1 && unit === Char.CLOSE_BRACKET
        const many = this.run > 1 || this.surplus > 1
        if (this.quoted && this.run > 0 && this.surplus > 0 && !spoken && (many || MARKUP.test(text))) return true
      } else if (unit === Char.LINE_FEED) {
        // The brackets of an object that spans lines are on lines of their own.
        if (this.run === 0 && before !== Char.QUOTE) this.quoted = false
      } else if (!isSpace(unit)) {
        this.run = 0
        this.whole = 0
        if (unit === Char.QUOTE) this.quoted = true
        else if (unit === Char.OPEN_BRACE || unit === Char.OPEN_BRACKET) {
          this.depth++
          if (open++ === 0) from = i
        }
      }
      if (!isSpace(unit)) before = unit
    }
    return false
  }
}

function isJson(text: string): boolean {
  if (text.length > 10_000) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
