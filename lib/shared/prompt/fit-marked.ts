import { compactionIn, type ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { fitWindow, type Fit, type TurnSize, compactedText } from './fit-window'

/*
 * What is sent of a branch, first by what the person said and then by what the window holds:
 *
 *   [a b c d e f g h]   →   [S b . . e f g h]   →   [S b . . . . g h]      S: a summary of a–d, b: pinned
 */

/** A message of a branch with its size. */
export interface SizedTurn extends TurnSize {
  readonly id: string
}

export interface MarkedFit extends Fit {
  /** Places of messages that stay before `from`; without `anchor`. */
  readonly pinned: readonly number[]
  /** What stands before `to` was left out by the person. Null: nothing was. */
  readonly compacted: { readonly to: number; readonly summary: string } | null
}

/**
 * `room`: tokens for these messages and what stands in the place of others; null: as many as there are. `older`: messages of
 * the branch before them, none of which is pinned.
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

/** Where a prompt can begin that leaves out what stands at `at` and before: never with the results of a call that is left out. */
const beginAfter = (turns: readonly TurnSize[], at: number): number =>
  Math.max(
    0,
    turns.findLastIndex(({ kind }, place) => kind === 'word' && place <= at + 1),
  )

/** The places that stay: those that were pinned, and with a call its results, with results their call. */
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
