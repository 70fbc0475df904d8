import type { Dialect } from '../dialect'
import type { Draft } from './draft'
import { endsInside, isClosed } from './ends-inside'

/** What of the text behind a place has no partner in it. */
interface Rest {
  /** Closing brackets that nothing behind the place opened. */
  readonly brackets: number
  readonly oddQuotes: boolean
  /** A closer of the format, or a call that is broken by its structure. */
  readonly closer: boolean
}

const NONE: Rest = { brackets: 0, oddQuotes: false, closer: false }

/**
 * Calls behind damage that may be data of the damaged call: they are quoted unless they begin a line or a fence and nothing
 * of the damaged call is left over behind them, neither a quote, nor a bracket, nor a closer of the format.
 */
export function quoteLeftOver(drafts: readonly Draft[], text: string, { traces }: Dialect): readonly Draft[] {
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
    const left = rest.closer || (doubt !== 'mention' && (rest.brackets > 0 || rest.oddQuotes || surplus))
    const quoted = doubtful && (left || (doubt === 'open' && !beginsLine(text, draft.start)))
    result.push(quoted ? { ...draft, standing: 'quoted' } : draft)
    if (draft.kind === 'text' || draft.kind === 'reasoning')
      rest = before(text.slice(draft.start, draft.end), rest, traces.closer)
    else if (surplus) rest = { ...rest, brackets: rest.brackets + 1 }
    else if (draft.kind === 'broken' && draft.breakage.whole !== true && !endsInside(text, draft)) rest = { ...rest, closer: true }
  }
  return result.toReversed()
}

/**
 * `open`: a call before it is broken and its markup was not closed. `closed`: it was. `mention`: only a text before it looks
 * like what opens a call.
 */
type Doubt = 'open' | 'closed' | 'mention' | null

/** For each draft: what stands before it that makes it doubtful. */
function doubtsBefore(drafts: readonly Draft[], text: string, opener: RegExp): readonly Doubt[] {
  let doubt: Doubt = null
  return drafts.map((draft) => {
    const own = doubt
    if (draft.kind === 'broken' && draft.breakage.whole !== true) {
      if (doubt !== 'open') doubt = isClosed(text, draft) ? 'closed' : 'open'
    } else if (draft.kind === 'text' && doubt === null && opener.test(text.slice(draft.start, draft.end))) doubt = 'mention'
    return own
  })
}

function beginsLine(text: string, start: number): boolean {
  let i = start
  while (i > 0 && /[ \t]/.test(text.charAt(i - 1))) i--
  return i === 0 || text[i - 1] === '\n'
}

/** What is left over of a text and of the rest behind it. */
function before(text: string, rest: Rest, closer: RegExp | undefined): Rest {
  let quotes = 0
  let depth = 0
  let brackets = 0
  for (const [sign] of text.matchAll(/\\.|["{}[\]]/gs)) {
    if (sign === '"') quotes++
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') {
      if (depth > 0) depth--
      else brackets++
    }
  }
  return {
    // A comma goes on with a list, as a bracket closes it.
    brackets: brackets + Math.max(0, rest.brackets - depth) + (/^\s*,/.test(text) ? 1 : 0),
    oddQuotes: (quotes % 2 === 1) !== rest.oddQuotes,
    closer: rest.closer || closer?.test(text) === true,
  }
}
