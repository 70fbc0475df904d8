import { err, ok, type Result } from '@/lib/base/result'
import type { JsonObject } from '@/lib/base/json'
import { makeModelMessage, t, type ModelMessage } from '@/lib/i18n/t'

/** The place of a text that is most like the search. */
interface NearestMatch {
  /** From 1. */
  readonly line: number
  /** The text there, in whole lines, at most `maxCharacters`. */
  readonly text: string
  /** Only white space differs. */
  readonly onlySpaces: boolean
}

const maxLines = 20_000
const maxLineCharacters = 200
const maxCharacters = 600
/** Lines of the search that are compared, and candidates that are compared whole. */
const maxSearchLines = 20
const maxCandidates = 12
/** Below this share of common letter pairs, two lines are unrelated. */
const minLikeness = 0.5

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim()

function pairsOf(line: string): ReadonlyMap<string, number> {
  const pairs = new Map<string, number>()
  for (let at = 0; at + 1 < line.length; at++) {
    const pair = line.slice(at, at + 2)
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  return pairs
}

/** The share of letter pairs that two lines have in common (Dice): 1 for the same line, 0 for unrelated ones. */
function likeness(a: string, b: string, pairs: ReadonlyMap<string, number>): number {
  if (a === b) return 1
  if (a.length < 2 || b.length < 2) return 0
  let common = 0
  const left = new Map(pairs)
  for (let at = 0; at + 1 < b.length; at++) {
    const pair = b.slice(at, at + 2)
    const count = left.get(pair) ?? 0
    if (count > 0) {
      left.set(pair, count - 1)
      common += 1
    }
  }
  return (2 * common) / (a.length + b.length - 2)
}

/**
 * The place that `search` may have meant: the lines most like its own, by its longest line first. Null if nothing is
 * similar. Reads the first 20,000 lines and 200 characters of each.
 */
function findNearest(text: string, search: string): NearestMatch | null {
  const lines = text.split(/\r?\n/, maxLines)
  const clean = lines.map((line) => collapse(line.slice(0, maxLineCharacters)))
  const wanted = search.split(/\r?\n/)
  // Line breaks around the block are often one too many.
  while (wanted.length > 1 && wanted[0]?.trim() === '') wanted.shift()
  while (wanted.length > 1 && wanted.at(-1)?.trim() === '') wanted.pop()
  const parts = wanted.slice(0, maxSearchLines).map((line) => {
    const own = collapse(line.slice(0, maxLineCharacters))
    return { own, pairs: pairsOf(own) }
  })
  const anchor = parts.reduce((best, part, at) => (part.own.length > (parts[best]?.own.length ?? 0) ? at : best), 0)
  const { own = '', pairs = new Map<string, number>() } = parts[anchor] ?? {}
  if (own === '') return null
  const candidates = clean
    .map((line, at) => ({ start: at - anchor, like: likeness(own, line, pairs) }))
    .filter(({ like, start }) => like >= minLikeness && start >= 0)
    .toSorted((a, b) => b.like - a.like)
    .slice(0, maxCandidates)
  let best: { readonly start: number; readonly like: number } | null = null
  for (const { start } of candidates) {
    const sum = parts.reduce((total, part, at) => total + likeness(part.own, clean[start + at] ?? '', part.pairs), 0)
    const like = sum / parts.length
    if (like >= minLikeness && (best === null || like > best.like)) best = { start, like }
  }
  if (best === null) return null
  const place = lines.slice(best.start, best.start + wanted.length).join('\n')
  return {
    line: best.start + 1,
    text: place.length > maxCharacters ? `${place.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '')}…` : place,
    onlySpaces: collapse(place) === collapse(search),
  }
}

/*
 * Edits are pairs of an exact text and its replacement:
 *
 *   [{ search: 'one\ntwo', replace: 'one\n2' }, { search: '…', replace: '…' }]
 *
 * They apply in order, each to the result of the previous ones, and each search must occur exactly once there. Only
 * line endings may differ: a model writes `\n` for a file with `\r\n`, and the file keeps its own.
 */

export interface TextEdit {
  readonly search: string
  readonly replace: string
}

/** `edit` counts from 1. */
export type EditProblem =
  | {
      readonly kind: 'not-found'
      readonly edit: number
      readonly nearest: NearestMatch | null
      /** It was in the file until an earlier edit changed that place. */
      readonly wasThere: boolean
    }
  | { readonly kind: 'ambiguous'; readonly edit: number; readonly lines: readonly number[] }
  | { readonly kind: 'no-change'; readonly edit: number }

export interface Edited {
  readonly text: string
  /** For each edit, the line (from 1) where it began in the text at that time. */
  readonly lines: readonly number[]
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Places that are named if a search is not unique. */
const maxPlaces = 20

export const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')

/** Places of a search, whatever line endings text and search have; overlapping ones count. Stops at `most`. */
function findSpans(text: string, search: string, most: number): readonly Span[] {
  const flat = toLineFeeds(text)
  const wanted = toLineFeeds(search)
  const starts: number[] = []
  for (let at = flat.indexOf(wanted); at >= 0 && starts.length < most; at = flat.indexOf(wanted, at + 1))
    starts.push(at)
  if (flat.length === text.length) return starts.map((start) => ({ start, end: start + wanted.length }))
  // Converts offsets in `flat` to offsets in `text` by adding the removed carriage returns.
  const toText = (offset: number) => {
    let left = 0
    for (let at = text.indexOf('\r\n'); at >= 0 && at - left < offset; at = text.indexOf('\r\n', at + 2)) left += 1
    return offset + left
  }
  return starts.map((start) => ({ start: toText(start), end: toText(start + wanted.length) }))
}

const countLineEnds = (text: string) => {
  const windows = text.split('\r\n').length - 1
  return { windows, unix: text.split('\n').length - 1 - windows }
}

/** The line endings of a replacement: those of the place, else those of the file; a text without any accepts all. */
function withLineEndsOf(place: string, whole: string, replacement: string): string {
  for (const text of [place, whole]) {
    const { windows, unix } = countLineEnds(text)
    if (windows + unix > 0) {
      const flat = toLineFeeds(replacement)
      return windows > unix ? flat.replaceAll('\n', '\r\n') : flat
    }
  }
  return replacement
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** All edits applied, or the first one that does not fit; then nothing is applied. */
export function applyEdits(original: string, edits: readonly TextEdit[]): Result<Edited, EditProblem> {
  let text = original
  const lines: number[] = []
  for (const [index, { search, replace }] of edits.entries()) {
    const edit = index + 1
    const spans = findSpans(text, search, maxPlaces)
    const [span] = spans
    if (span === undefined) {
      const wasThere = index > 0 && findSpans(original, search, 1).length > 0
      return err({ kind: 'not-found', edit, nearest: findNearest(text, search), wasThere })
    }
    if (spans.length > 1) {
      const places = spans.map(({ start }) => lineAt(text, start))
      return err({ kind: 'ambiguous', edit, lines: places })
    }
    const place = text.slice(span.start, span.end)
    const put = withLineEndsOf(place, text, replace)
    if (put === place) return err({ kind: 'no-change', edit })
    lines.push(lineAt(text, span.start))
    text = text.slice(0, span.start) + put + text.slice(span.end)
  }
  return ok({ text, lines })
}

const maxNamed = 10

const namedOf = (lines: readonly number[]) => [...new Set(lines)].slice(0, maxNamed)

/** The places of a text that occurs more than once. */
function lineageOf(lines: readonly number[]) {
  const named = namedOf(lines)
  return {
    times: Math.min(lines.length, 20),
    where: named.length === 1 ? 'line' : lines.length > maxNamed ? 'more' : 'lines',
    before: named.slice(0, -1).map(String),
    last: named.at(-1) ?? 1,
  }
}

/** The problem, for the model: the edit, the place, and the way out. */
export function problemForModel(problem: EditProblem, count: number, path: string): ModelMessage {
  const edit = { of: count, edit: problem.edit, path }
  switch (problem.kind) {
    case 'no-change':
      return makeModelMessage('told.edit-same', edit)
    case 'ambiguous':
      return makeModelMessage('told.edit-often', { ...edit, ...lineageOf(problem.lines) })
    case 'not-found': {
      if (problem.wasThere) return makeModelMessage('told.edit-gone', edit)
      if (problem.nearest === null) return makeModelMessage('told.edit-none', edit)
      const { line, onlySpaces } = problem.nearest
      return makeModelMessage('told.edit-near', { ...edit, line, spaces: onlySpaces })
    }
  }
}

/** Help beside the sentence. */
export function helpForModel(problem: EditProblem): JsonObject {
  if (problem.kind === 'ambiguous') return { edit: problem.edit, lines: problem.lines }
  if (problem.kind === 'no-change' || problem.wasThere || problem.nearest === null) return { edit: problem.edit }
  const { line, text } = problem.nearest
  return { edit: problem.edit, nearest: { line, text } }
}

/** The same for the user, before Run, in their language. */
export function problemForUser(problem: EditProblem, count: number): string {
  const edit = { of: count, number: problem.edit }
  switch (problem.kind) {
    case 'no-change':
      return t('tool.no-change', edit)
    case 'ambiguous':
      return t('tool.often', { ...edit, ...lineageOf(problem.lines) })
    case 'not-found':
      if (problem.wasThere) return t('tool.gone', edit)
      return t('tool.not-there', {
        ...edit,
        near: problem.nearest === null ? 'no' : 'yes',
        line: problem.nearest?.line ?? 0,
      })
  }
}
