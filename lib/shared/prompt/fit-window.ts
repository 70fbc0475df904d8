import { english } from '@/lib/base/text/locale'
import { compactionIn, type ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'

/*
 * A prompt that is longer than its model's window loses its oldest messages. The rest stays complete: a call never
 * without its result, and never without the user's last message. If the rounds of calls since then are too many
 * themselves, the oldest of those are dropped, and the user's message stays before the rest.
 *
 *   [a b c d e f]    →   [. . c d e f]   or   [. . c . . f]      c: the user's last message
 *
 * The cut moves in leaps, not by one message per turn, so that the beginning of the prompt is the same for many turns
 * and stays in a provider's cache.
 */

/** The properties of a branch's message that decide its place in a prompt. */
export interface TurnSize {
  /** Approximate. */
  readonly tokens: number
  /** `word`: a user message without results; `results`: contains results; `reply`: of the model. */
  readonly kind: 'word' | 'results' | 'reply'
  /** For `word` and `results`: it contains user text. */
  readonly says: boolean
}

/** Which messages are sent: from `from` on, or the one at `anchor` and those from `from` on. */
export interface Fit {
  readonly anchor: number | null
  readonly from: number
  /** Their approximate tokens. */
  readonly tokens: number
  readonly fits: boolean
}

/**
 * The share of what fits that may be left out in order to leap. With half, the cut stays for twice as many turns as
 * with a quarter, and a server reads half as much again, for a window that is on average filled to three quarters.
 */
const LEAP = 0.5

/**
 * `room`: tokens for these messages. `older`: how many messages come before them in the branch; `isWhole`: none of
 * those is sent, whatever the space. The required part is returned even if it does not fit.
 */
export function fitWindow(
  turns: readonly TurnSize[],
  older: number,
  room: number,
  { isWhole = older === 0 }: { readonly isWhole?: boolean } = {},
): Fit {
  const sums = suffixSums(turns)
  const tokensFrom = (at: number) => sums[at] ?? 0
  if (isWhole && tokensFrom(0) <= room) return { anchor: null, from: 0, tokens: tokensFrom(0), fits: true }
  const lastFromUser = turns.findLastIndex(({ says }) => says)
  const begin = turns.findLastIndex(({ kind }, at) => kind === 'word' && (lastFromUser < 0 || at <= lastFromUser))
  const starts = turns.flatMap(({ kind }, at) => (kind === 'word' && at <= begin ? [at] : []))
  const from = leap(starts, tokensFrom, older, room)
  if (from !== null) return { anchor: null, from, tokens: tokensFrom(from), fits: true }

  const anchor = Math.max(begin, 0)
  const own = turns[anchor]?.tokens ?? 0
  // The reply whose results are the message to answer, or to which the user wrote, stays.
  const last = Math.min(
    turns.findLastIndex(({ kind }) => kind === 'reply'),
    lastFromUser > anchor ? turns.findLastIndex(({ kind }, at) => kind === 'reply' && at < lastFromUser) : turns.length,
  )
  const rounds = turns.flatMap(({ kind }, at) => (kind === 'reply' && at > anchor && at <= last ? [at] : []))
  const round = leap(rounds, tokensFrom, older, room - own)
  const kept = round ?? rounds.at(-1) ?? turns.length
  return {
    anchor,
    from: kept,
    tokens: own + tokensFrom(kept),
    fits: round !== null || (rounds.length === 0 && own <= room),
  }
}

function suffixSums(turns: readonly TurnSize[]): readonly number[] {
  const sums: number[] = [0]
  for (const { tokens } of turns.toReversed()) sums.push((sums.at(-1) ?? 0) + tokens)
  return sums.toReversed()
}

/**
 * The index to begin at: the first one that fits, or one slightly later whose number in the branch is divisible by a
 * higher power of two, so that it stays the choice for longer. Null: none fits.
 */
function leap(
  places: readonly number[],
  tokensFrom: (at: number) => number,
  older: number,
  room: number,
): number | null {
  const fitting = places.filter((at) => tokensFrom(at) <= room)
  const [first] = fitting
  if (first === undefined) return null
  const near = fitting.filter((at) => tokensFrom(at) >= tokensFrom(first) * (1 - LEAP))
  const twos = (at: number) => {
    const number = (older + at) >> 1
    return number === 0 ? 32 : 31 - Math.clz32(number & -number)
  }
  return near.reduce((best, at) => (twos(at) > twos(best) ? at : best), first)
}

/* What a model learns where messages of its chat are left out. */

/** They did not fit. `why`: what the chat is longer than. */
export const gapText = (count: number, why: string): string =>
  english.plural(count, {
    one: `(One earlier message of this chat is left out here: the chat is longer than ${why}.)`,
    other: `(${count} earlier messages of this chat are left out here: the chat is longer than ${why}.)`,
  })

/** The user left them out. `summary`: the text that replaces them, '' for none. */
export function compactedText(count: number, summary: string): string {
  const left = english.plural(count, {
    one: 'One earlier message of this chat is left out here, as the user chose',
    other: `${count} earlier messages of this chat are left out here, as the user chose`,
  })
  return summary.trim() === '' ? `(${left}.)` : `(${left}. A summary stands in their place:)\n\n${summary.trim()}`
}

/*
 * What is sent of a branch, first by the user's decisions and then by the size of the window:
 *
 *   [a b c d e f g h]   →   [S b . . e f g h]   →   [S b . . . . g h]      S: a summary of a–d, b: pinned
 */

/** A message of a branch with its size. */
export interface SizedTurn extends TurnSize {
  readonly id: string
}

export interface MarkedFit extends Fit {
  /** Indexes of messages that stay before `from`; without `anchor`. */
  readonly pinned: readonly number[]
  /** The user left out the text before `to`. Null: nothing. */
  readonly compacted: { readonly to: number; readonly summary: string } | null
}

/**
 * `room`: tokens for these messages and the texts that replace others; null: no limit. `older`: messages of the branch
 * before them, none of which is pinned.
 */
export function fitMarked(
  turns: readonly SizedTurn[],
  older: number,
  room: number | null,
  marks: ContextMarks | undefined,
): MarkedFit {
  const found = compactionIn(turns, marks)
  const to = found ? beginAfter(turns, found.at) : 0
  const compacted = found && to > 0 ? { to, summary: found.compaction.summary } : null
  const pinned = pinnedIn(turns, marks)
  const fixed =
    [...pinned].reduce((sum, at) => sum + (turns[at]?.tokens ?? 0), 0) +
    (compacted ? estimateTokens(compactedText(to + older, compacted.summary)) : 0)
  const tail = turns.slice(to)
  const open = pinned.size === 0 ? tail : tail.map((turn, at) => (pinned.has(to + at) ? { ...turn, tokens: 0 } : turn))
  const fit =
    room === null
      ? wholeOf(open)
      : fitWindow(open, older + to, room - fixed, { isWhole: older === 0 || compacted !== null })
  const from = fit.from + to
  const anchor = fit.anchor === null ? null : fit.anchor + to
  return {
    anchor,
    from,
    tokens: fit.tokens + fixed,
    fits: fit.fits,
    pinned: [...pinned].filter((at) => at < from && at !== anchor).toSorted((a, b) => a - b),
    compacted,
  }
}

const wholeOf = (turns: readonly TurnSize[]): Fit => ({
  anchor: null,
  from: 0,
  tokens: turns.reduce((sum, { tokens }) => sum + tokens, 0),
  fits: true,
})

/** Where a prompt can begin that leaves out the messages up to `at`: never with the results of a left-out call. */
const beginAfter = (turns: readonly TurnSize[], at: number): number =>
  Math.max(
    0,
    turns.findLastIndex(({ kind }, place) => kind === 'word' && place <= at + 1),
  )

/** The indexes that stay: pinned ones, and with a call its results, with results their call. */
function pinnedIn(turns: readonly SizedTurn[], marks: ContextMarks | undefined): ReadonlySet<number> {
  const places = new Set<number>()
  const ids = new Set(marks?.pinned)
  if (ids.size === 0) return places
  turns.forEach(({ id, kind }, at) => {
    if (!ids.has(id)) return
    places.add(at)
    if (kind === 'results') places.add(at - 1)
    if (kind === 'reply' && turns[at + 1]?.kind === 'results') places.add(at + 1)
  })
  places.delete(-1)
  return places
}
