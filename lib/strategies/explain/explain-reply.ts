import type { ParsedReply } from '../segment'
import type { ToolSpec } from '../tool-context-def'
import { explainMiss } from './explain-miss'
import { explainSegment } from './explain-segment'
import { t } from '@/lib/i18n/t'
import type { Explanation } from './explanation'
import { findNearMisses } from './near-misses'
import { createPlaces } from './places'
import { findSurroundings } from './surroundings'
import type { Surrounding } from './surroundings'

/** One numbered item of the reading: what a place in the reply is, and why. */
export interface ReadingItem extends Explanation {
  /** What is coloured: the part itself, or the whole code block when nothing else is in it. */
  readonly start: number
  readonly end: number
  /** "line 3", "lines 5 to 7", "line 11, column 24". */
  readonly place: string
  /** Where reading failed, or null. */
  readonly damage: number | null
}

export interface ReplyReading {
  readonly items: readonly ReadingItem[]
  /** Items that are beyond the limit. */
  readonly hidden: number
  /** "1 call, 3 that are not" */
  readonly summary: string
  readonly lines: number
}

export interface ExplainOptions {
  readonly strategy: string
  /** All known tools, the switched-off ones too. */
  readonly tools: readonly ToolSpec[]
  /** Most items that are explained; all are counted. */
  readonly limit?: number
}

/** Explains a reply that was read: every part that is no plain text, and text that resembles a call. Linear in the text. */
export function explainReply(text: string, reply: ParsedReply, options: ExplainOptions): ReplyReading {
  const { strategy, tools, limit = 500 } = options
  const { segments } = reply
  const places = createPlaces(text)
  const surroundings = findSurroundings(text, segments)
  const items: ReadingItem[] = []
  let calls = 0
  let stopped = 0
  let others = 0
  let hidden = 0
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'text') continue
    if (segment.kind === 'call' && segment.standing === 'live') {
      calls += 1
      if (segment.problem) stopped += 1
    } else if (segment.kind !== 'reasoning') others += 1
    if (items.length >= limit) {
      hidden += 1
      continue
    }
    if (segment.kind === 'reasoning' && text.slice(segment.start, segment.end).trim() === '') continue
    const surrounding = surroundings.of(index)
    const { start, end } = markedRange(text, segment, surrounding)
    const damage = segment.kind === 'broken' ? Math.min(segment.at ?? segment.end, segment.end) : null
    items.push({
      ...explainSegment(segment, { text, strategy, surrounding }),
      start,
      end,
      place: damage === null ? places.words(start, end) : columnWords(places.at(damage)),
      damage,
    })
  }
  const toolNames = tools.map((tool) => tool.name)
  const misses = findNearMisses(text, segments, { strategy, toolNames, surroundings }, limit)
  const taken = new Set<ReadingItem>()
  for (const miss of misses) {
    // A code block that is coloured whole holds its mark's lines already.
    if (items.some((item) => !taken.has(item) && item.start < miss.end && miss.start < item.end)) continue
    others += 1
    const item = {
      ...explainMiss(miss, strategy, surroundings),
      start: miss.start,
      end: miss.end,
      place: places.words(miss.start, miss.end),
      damage: null,
    }
    taken.add(item)
    if (items.length < limit) items.push(item)
    else hidden += 1
  }
  items.sort((a, b) => a.start - b.start)
  return { items, hidden, summary: summaryOf(calls, stopped, others), lines: places.lines }
}

function markedRange(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  surrounding: Surrounding,
): { readonly start: number; readonly end: number } {
  if (surrounding.kind !== 'fence') return { start, end }
  const { fence } = surrounding
  const isBlank = (from: number, to: number): boolean => to - from <= 200 && text.slice(from, to).trim() === ''
  return isBlank(fence.content, start) && isBlank(end, fence.contentEnd) ? fence : { start, end }
}

const columnWords = ({ line, column }: { readonly line: number; readonly column: number }): string =>
  t('explain.column', { line, column })

const summaryOf = (calls: number, stopped: number, others: number): string =>
  calls + others === 0 ? t('explain.nothing') : t('explain.calls', { calls, stopped, others })
