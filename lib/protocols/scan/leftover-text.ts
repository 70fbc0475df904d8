import type { JsonValue } from '@/lib/base/json'
import type { Dialect, ReadCall } from '../arguments/dialect'
import type { Draft } from './draft'
import { endsInside, isClosed } from './finish-reply'

/*
 * <tool_code> {"name":"plan","arguments":{}} ["name":"run","arguments":{}} {"name":"get_time","arguments":{}}
 * </tool_code>
 *
 * The last call looks like one that lost its opening tag. But the tag is present, and an element before the call is
 * damaged, so the depth of the call is unknown.
 */

/** Quotes the calls that were read without an opener although a tag before them is still open. */
function quoteInOpenTag(drafts: readonly Draft[], text: string, { traces }: Dialect): readonly Draft[] {
  const leavesOpen = traces?.leavesOpen
  if (!leavesOpen || !drafts.some(isWithoutOpener)) return drafts
  let open = false
  return drafts.map((draft): Draft => {
    const isElement = open && isWithoutOpener(draft)
    switch (draft.kind) {
      case 'text':
        open = leavesOpen(text.slice(draft.start, draft.end)) ?? open
        break
      case 'call':
        if (draft.standing === 'live') open = draft.call.repairs.includes('missing-closer')
        break
      case 'broken':
        open = !isClosed(text, draft)
        break
      case 'reasoning':
    }
    return isElement ? { ...draft, standing: 'quoted' } : draft
  })
}

const isWithoutOpener = (draft: Draft): draft is Extract<Draft, { kind: 'call' }> =>
  draft.kind === 'call' && draft.standing === 'live' && draft.call.repairs.includes('missing-opener')

/** What is unpaired in the text after a position. */
interface Rest {
  /** Closing brackets that nothing after the position opened. */
  readonly brackets: number
  /** How many of these in the text right after are braces. */
  readonly braces: number
  /** A comma follows directly: a list continues. */
  readonly comma: boolean
  /** Opening brackets in the text right after that it does not close. */
  readonly open: number
  readonly oddQuotes: boolean
  /** A closer of the format, or a call that is structurally broken. */
  readonly closer: boolean
  /** Anything other than calls, blanks and fence marks. */
  readonly prose: boolean
}

const NONE: Rest = { brackets: 0, braces: 0, open: 0, comma: false, oddQuotes: false, closer: false, prose: false }

/** Checks each call against the text after it: the call may be data of another one, or its end may be wrong. */
export function settleDrafts(drafts: readonly Draft[], text: string, dialect: Dialect): readonly Draft[] {
  const quoted = quoteLeftOver(quoteInOpenTag(drafts, text, dialect), text, dialect)
  const broken = breakGoingOn(quoted, text, dialect)
  return broken === quoted ? quoted : quoteLeftOver(broken, text, dialect)
}

/**
 * Breaks a call whose text continued after its assumed end: a quote and a closing brace are left over after it.
 * If its own closer was missing or replaced by another one, less is enough.
 */
function breakGoingOn(drafts: readonly Draft[], text: string, { traces }: Dialect): readonly Draft[] {
  let changed = false
  const result = drafts.map((draft, i): Draft => {
    if (draft.kind !== 'call' || draft.standing !== 'live') return draft
    const next = drafts[i + 1]
    const behind = next?.kind === 'text' ? text.slice(next.start, next.end) : ''
    const { name } = draft.call
    if (!traces) return draft
    const guessed = draft.call.repairs.includes('bare-quote') && !isClosed(text, draft)
    const codes = draft.call.repairs
    const cutShort =
      codes.includes('bare-quote') && codes.includes('extra-bracket') && leavesValueOpen(draft.call.arguments)
    const unclosed =
      cutShort ||
      (guessed && holdsHalfQuotation(draft.call.arguments)) ||
      (guessed && (behind.trim() !== '' || traces.loose === true) && leavesValueOpen(draft.call.arguments))
    const glued = draft.call.repairs.includes('missing-bracket') && gluedTo(next, text)
    if (!unclosed && !glued && !continues(behind, draft.call, traces.closer)) return draft
    changed = true
    const detail = 'it goes on behind its end: quotation marks inside a text are not escaped'
    const { start, end } = draft
    return {
      kind: 'broken',
      start,
      end,
      breakage: { reason: 'bad-json', name, at: end, detail },
      around: text.slice(Math.max(start, end - 20), end + 20),
    }
  })
  return changed ? result : drafts
}

/** Whether structure follows on the same line where a bracket had to be added: then the text continues. */
function gluedTo(next: Draft | undefined, text: string): boolean {
  if (!next || beginsLine(text, next.start)) return false
  const behind = text.slice(next.start, next.end)
  // After a comma, the next element of a list follows.
  return next.kind === 'text' ? /["'`<\\]/.test(behind.slice(0, lineEnd(behind))) : !/^\s*,/.test(behind)
}

function continues(behind: string, { repairs }: ReadCall, closer: RegExp | undefined): boolean {
  if (behind.trim() === '') return false
  const rest = before(behind, NONE, closer)
  const sameLine = behind.slice(0, lineEnd(behind)).trim() !== ''
  if (repairs.includes('wrong-closer') || repairs.includes('bare-quote'))
    return rest.closer || rest.oddQuotes || rest.brackets > 0
  if (repairs.includes('missing-closer') && repairs.includes('extra-bracket')) return true
  if (repairs.includes('missing-closer')) return rest.closer || (sameLine && (rest.oddQuotes || rest.brackets > 0))
  return sameLine && behind.slice(0, lineEnd(behind)).includes('"') && rest.braces > 0
}

/**
 * Whether a string leaves as many brackets open as close a call after it: then they may be its own, and the guess ended
 * it too early.
 */
const leavesValueOpen = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? before(value, NONE, undefined).open > 1
    : typeof value === 'object' && value !== null && Object.values(value).some((one: JsonValue) => leavesValueOpen(one))

/** Whether a string contains an unpaired quote: the quote that was guessed to end the string may be its partner. */
const holdsHalfQuotation = (value: JsonValue): boolean =>
  typeof value === 'string'
    ? value.split('"').length % 2 === 0
    : typeof value === 'object' &&
      value !== null &&
      Object.values(value).some((one: JsonValue) => holdsHalfQuotation(one))

const lineEnd = (text: string): number => (text.includes('\n') ? text.indexOf('\n') : text.length)

/**
 * Quotes calls after damage that may be data of the damaged call, unless they begin a line or a fence and nothing of
 * the damaged call is left over after them: no quote, bracket or closer of the format.
 */
function quoteLeftOver(drafts: readonly Draft[], text: string, { traces }: Dialect): readonly Draft[] {
  if (!traces || !drafts.some((draft) => draft.kind === 'call' && draft.standing === 'live')) return drafts
  const doubts = doubtsBefore(drafts, text, traces.opener)
  if (!doubts.some((doubt) => doubt !== null)) return drafts
  const result: Draft[] = []
  let rest = NONE
  for (let i = drafts.length - 1; i >= 0; i--) {
    const draft = drafts[i]
    if (!draft) continue
    const doubt = doubts[i] ?? null
    const doubtful = draft.kind === 'call' && draft.standing === 'live' && doubt !== null
    const surplus = draft.kind === 'call' && draft.call.repairs.includes('extra-bracket')
    const left = rest.closer || (doubt !== 'mention' && (rest.brackets > 0 || rest.oddQuotes || rest.comma || surplus))
    const quoted = doubtful && (left || (doubt === 'open' && (rest.prose || !beginsLine(text, draft.start))))
    result.push(quoted ? { ...draft, standing: 'quoted' } : draft)
    if (draft.kind === 'text') rest = before(text.slice(draft.start, draft.end), rest, traces.closer)
    else if (draft.kind === 'reasoning')
      // The closer of the reasoning itself does not close a call.
      rest = before(text.slice(draft.start, draft.end).replace(/<\/[^<>]{1,60}>\s*$/, ''), rest, traces.closer)
    else if (draft.kind === 'call') rest = { ...rest, brackets: rest.brackets + (surplus ? 1 : 0), comma: false }
    else if (draft.kind === 'broken' && draft.breakage.whole !== true && !endsInside(text, draft))
      rest = { ...rest, closer: true }
  }
  return result.toReversed()
}

/**
 * `open`: a call before it is broken and its markup was not closed. `closed`: the markup was closed, or only its closer
 * is missing. `mention`: only a text before it looks like the opener of a call.
 */
type Doubt = 'open' | 'closed' | 'mention' | null

/** For each draft: the reason in the text before it to doubt it. */
function doubtsBefore(drafts: readonly Draft[], text: string, opener: RegExp): readonly Doubt[] {
  let doubt: Doubt = null
  return drafts.map((draft) => {
    const own = doubt
    if (draft.kind === 'broken' && draft.breakage.whole !== true) {
      if (doubt !== 'open') doubt = isClosed(text, draft) ? 'closed' : 'open'
    } else if (draft.kind === 'call' && doubt === null && draft.call.repairs.includes('missing-closer'))
      doubt = 'closed'
    else if (draft.kind === 'text' && doubt === null && opener.test(text.slice(draft.start, draft.end)))
      doubt = 'mention'
    return own
  })
}

function beginsLine(text: string, start: number): boolean {
  let i = start
  while (i > 0 && /[ \t]/.test(text.charAt(i - 1))) i--
  return i === 0 || text[i - 1] === '\n'
}

/** Combines a text with what is left over after it. */
function before(text: string, rest: Rest, closer: RegExp | undefined): Rest {
  let quotes = 0
  let depth = 0
  let brackets = 0
  let braces = 0
  for (const [sign] of text.matchAll(/\\.|["{}[\]]/gs)) {
    if (sign === '"') quotes++
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      if (depth > 0) depth--
      else {
        brackets++
        if (sign === '}') braces++
      }
    }
  }
  return {
    brackets: brackets + Math.max(0, rest.brackets - depth),
    braces,
    open: depth,
    oddQuotes: (quotes % 2 === 1) !== rest.oddQuotes,
    comma: /^\s*,/.test(text),
    closer: rest.closer || closer?.test(text) === true,
    prose: rest.prose || text.replaceAll(/^[ \t]*(?:`{3,}|~{3,})[ \t]*\w*[ \t]*$/gm, '').trim() !== '',
  }
}
