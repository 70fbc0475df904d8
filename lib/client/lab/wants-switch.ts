import type { ParsedReply } from '@/lib/protocols/types/segment'
import { isStrategyId, type StrategyId } from '@/lib/protocols/types/tool-context-def'

/** A parsed reply with the strategy that it was made with. */
export interface ReadReply {
  readonly strategy: StrategyId
  readonly reply: ParsedReply
}

export interface WantedSwitch {
  readonly to: StrategyId
  /** `form`: the model writes calls in that format; `best`: it was measured, and the model's calls can't be read. */
  readonly why: 'form' | 'best'
  /** How many of the last replies. */
  readonly count: number
  readonly replies: number
}

/** How many replies are checked, and how many of them make a habit. */
const LAST = 5
const HABIT = 3

/**
 * Whether a chat's model would do better under another strategy, judged by its last replies under this one: calls in
 * the format of another strategy, or unreadable calls if a best one was measured. Null: no.
 */
export function wantsSwitch(
  replies: readonly ReadReply[],
  current: StrategyId,
  best: StrategyId | null,
): WantedSwitch | null {
  const last = replies.filter(({ strategy }) => strategy === current).slice(-LAST)
  const missed = last.filter(({ reply }) => !hasLive(reply))
  const found = Map.groupBy(missed, ({ reply }) => foreignStrategy(reply, current))
  for (const [to, these] of found) {
    if (to !== null && these.length >= HABIT) return { to, why: 'form', count: these.length, replies: last.length }
  }
  const unread = missed.filter(({ reply }) => holdsUnread(reply)).length
  if (best === null || best === current || unread < HABIT) return null
  return { to: best, why: 'best', count: unread, replies: last.length }
}

const hasLive = ({ segments }: ParsedReply): boolean =>
  segments.some((segment) => segment.kind === 'call' && segment.standing === 'live')

const holdsUnread = ({ segments }: ParsedReply): boolean =>
  segments.some((segment) => segment.kind === 'broken' || (segment.kind === 'call' && segment.standing === 'foreign'))

/** The strategy in whose format the reply calls; null: none, or it is the current one. */
function foreignStrategy({ segments }: ParsedReply, current: StrategyId): StrategyId | null {
  for (const segment of segments) {
    if (segment.kind !== 'call' || segment.standing !== 'foreign') continue
    if (isStrategyId(segment.dialect) && segment.dialect !== current) return segment.dialect
  }
  return null
}
