import type { ParsedReply } from '@/lib/protocols/types/segment'
import { isStrategyId, type StrategyId } from '@/lib/protocols/types/tool-context-def'

/*
 * The strategy that was measured as the best for a model, by this browser's lab or in an imported result. It is read
 * wherever a strategy is chosen, so it is a few short strings and needs nothing else of the lab.
 */

export interface MeasuredBest {
  readonly strategy: StrategyId
  /** Who measured and shared it, '' if no name was given; null: this browser's lab. */
  readonly by: string | null
}

export interface ImportedBest {
  /** The model's exact id. */
  readonly model: string
  readonly strategy: StrategyId
  readonly by: string
}

type KeptTexts = Pick<Storage, 'getItem' | 'setItem'>

const OWN = 'nod-lab-best'
const IMPORTED = 'nod-lab-best-imported'
const MAX_MODELS = 200
const MAX_NAME = 60

/** By the model's exact id: the one measured here, else an imported one; null: no strategy was shown to be better. */
export function measuredBest(storage: Pick<Storage, 'getItem'>, model: string): MeasuredBest | null {
  const own = readAll(storage, OWN).find(([id]) => id === model)?.[1]
  if (isStrategyId(own)) return { strategy: own, by: null }
  const [, strategy, by] = readAll(storage, IMPORTED).findLast(([id]) => id === model) ?? []
  return isStrategyId(strategy) && typeof by === 'string' ? { strategy, by } : null
}

/** Null forgets it. A storage that refuses writes changes nothing. */
export function storeMeasuredBest(storage: KeptTexts, model: string, best: StrategyId | null): void {
  const others = readAll(storage, OWN).filter(([id]) => id !== model)
  write(storage, OWN, best === null ? others : [...others, [model, best]])
}

/** Stores what all imported results say; of two about one model the later one in the list counts. */
export function storeImportedBest(storage: KeptTexts, all: readonly ImportedBest[]): void {
  const rows = all.map(({ model, strategy, by }): Row => [model, strategy, plainName(by)])
  write(storage, IMPORTED, rows)
}

/** Names come from a file: short, on one line, and without characters that change the text direction. */
const plainName = (name: string): string =>
  Array.from(name.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim())
    .slice(0, MAX_NAME)
    .join('')

type Row = readonly [model: string, ...unknown[]]

function write(storage: KeptTexts, key: string, rows: readonly Row[]): void {
  try {
    storage.setItem(key, JSON.stringify(rows.slice(-MAX_MODELS)))
  } catch {
    // It was measured anyway; only the note beside the strategy is missing.
  }
}

function readAll(storage: Pick<Storage, 'getItem'>, key: string): readonly Row[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    if (!Array.isArray(value)) return []
    return value.filter((one): one is Row => Array.isArray(one) && typeof one[0] === 'string')
  } catch {
    return []
  }
}

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
