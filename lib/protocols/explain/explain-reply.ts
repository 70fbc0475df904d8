import type { ParsedReply } from '../types/segment'
import type { ToolSpec, StrategyId } from '../types/tool-context-def'
import { explainSegment, fenceRule, readsText } from './explain-segment'
import { t } from '@/lib/i18n/t'
import { type Explanation, more, together, why, writtenFormOf } from './explanation'
import { findNearMisses, type FoundMiss } from './near-misses'
import { findSurroundings, type Surrounding, type Surroundings } from './surroundings'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { aCallOf } from '../types/strategy-facts'
import { factsOf, strategyModules } from '../registry'
import { toolContextBuilder } from '../tool-context-builder'

/** One numbered item of the explanation: what a part of the reply is, and why. */
export interface ReadingItem extends Explanation {
  /** The highlighted range: the part itself, or the whole code block if it contains nothing else. */
  readonly start: number
  readonly end: number
  /** "line 3", "lines 5 to 7", "line 11, column 24". */
  readonly place: string
  /** Offset where reading failed, or null. */
  readonly damage: number | null
}

export interface ReplyReading {
  readonly items: readonly ReadingItem[]
  /** The number of items beyond the limit. */
  readonly hidden: number
  /** "1 call, 3 that are not" */
  readonly summary: string
  readonly lines: number
}

export interface ExplainOptions {
  readonly strategy: string
  /** All known tools, including disabled ones. */
  readonly tools: readonly ToolSpec[]
  /** Maximum number of items to explain; all are counted. */
  readonly limit?: number
}

/** Explains a parsed reply: every part that is not plain text, and text that resembles a call. Takes linear time. */
export function explainReply(text: string, reply: ParsedReply, options: ExplainOptions): ReplyReading {
  const { strategy, tools, limit = 500 } = options
  const { segments } = reply
  const places = createTextLocations(text)
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
    // If the whole code block is highlighted, it already covers its opening and closing lines.
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

/** Lines count from 1, as in editors; columns are UTF-16 units. */
interface TextLocation {
  readonly line: number
  readonly column: number
}

interface TextLocations {
  readonly lines: number
  at(offset: number): TextLocation
  /** "line 3", "lines 5 to 7" for `[start, end)`; a line break at the very end does not count as a line. */
  words(start: number, end: number): string
}

/** Finds lines by offset; built once per text. */
function createTextLocations(text: string): TextLocations {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const at = (offset: number): TextLocation => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
  return {
    lines: starts.length,
    at,
    words(start, end) {
      const first = at(start).line
      const last = at(Math.max(start, end - 1)).line
      return first === last ? t('explain.line', { line: first }) : t('explain.lines', { first, last })
    },
  }
}

/** Explains why text that looks like a call is plain text. */
function explainMiss(miss: FoundMiss, strategy: string, surroundings: Surroundings): Explanation {
  const fence = surroundings.fenceAt(miss.start)
  const outside = fence !== null && !writtenFormOf(strategy).fences.includes(fence.language)
  return {
    title: t(miss.code === 'mention' ? 'explain.title.mention' : 'explain.title.text'),
    tone: 'miss',
    name: miss.name,
    lines: [
      why(reason(miss)),
      more(together([readsText(strategy, null), t('explain.plain')])),
      ...(outside && fence
        ? [more(together([t('explain.in.fence', { language: fence.language }), fenceRule(strategy)]))]
        : []),
    ],
  }
}

function reason({ code, name, like }: FoundMiss): readonly SentencePart[] {
  switch (code) {
    case 'unknown-action':
      return withParts((part) =>
        t('explain.miss.unknown-action', { key: part({ code: 'action' }), name: part({ code: name ?? '…' }) }),
      )
    case 'other-brackets':
      return [t('explain.miss.other-brackets', { call: aCallOf(like ?? '') })]
    case 'no-envelope':
    case 'no-name':
    case 'empty-envelope':
    case 'quoted-broken':
    case 'mention':
    case 'foreign-incomplete':
    case 'python-call':
      return [t(`explain.miss.${code}`)]
  }
}

/** What an example shows. */
export type ExampleKind =
  | 'tour'
  | 'plain'
  | 'mended'
  | 'cut-off'
  | 'quoted'
  | 'thought'
  | 'foreign'
  | 'bare'
  | 'function'
  | 'unknown'
  | 'invented'

interface Example {
  readonly id: string
  readonly strategy: StrategyId
  readonly shows: ExampleKind
  /** The text as a model would write it. */
  readonly text: string
}

/**
 * A reply with every kind of item, then one example per family of failures for every strategy with calls in the text.
 */
export const examples: readonly Example[] = [
  ...strategyModules.flatMap(({ id, examples: { tour } }): readonly Example[] =>
    tour === null ? [] : [{ id: `${id} tour`, strategy: id, shows: 'tour', text: tour }],
  ),
  ...toolContextBuilder.strategies.flatMap((strategy): readonly Example[] => {
    const { id } = strategy
    const mended = factsOf(id)?.examples.damaged ?? null
    if (mended === null) return []
    const call = (name: string, args: Record<string, string>) => strategy.formatCalls([{ name, arguments: args }])
    const read = call('read_file', { path: '/notes/a.md' })
    const write = call('write_file', { path: '/notes/b.md', content: '# Plan\n1. Ask for the two rows\n2. Save' })
    const of = (shows: ExampleKind, text: string): Example => ({ id: `${id} ${shows}`, strategy: id, shows, text })
    return [
      of('plain', `I’ll look at the file first.\n\n${read}`),
      of('mended', mended),
      of('cut-off', `I’ll save the plan.\n\n${write.slice(0, write.indexOf('rows') + 4)}`),
      of('quoted', `A call looks like this:\n\n~~~text\n${read}\n~~~\n\nShall I?`),
      of('thought', `<think>\nPerhaps this one:\n${read}\nNo, I can answer.\n</think>\nThe answer is 42.`),
      of('foreign', '<tool_use>\n<name>read_file</name>\n<arguments>{"path": "/notes/a.md"}</arguments>\n</tool_use>'),
      of('bare', 'I call it:\n\n{"name": "read_file", "arguments": {"path": "/notes/a.md"}}'),
      of('function', 'Next I run read_file(path="/notes/a.md") and look.'),
      of('unknown', call('read_fill', { path: '/notes/a.md' })),
      of('invented', `${read}\n\nObservation: the file is empty.\n\n${write}`),
    ]
  }),
]
