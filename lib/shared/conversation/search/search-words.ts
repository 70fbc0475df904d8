import type { JsonValue } from '@/lib/base/json'
import type { Message } from '../conversation'
import type { ToolResult } from '../call-record'

/*
 * The words of the search index. Neither database splits Chinese into words, nor folds letters alike, so both get ours:
 * runs of letters and digits, folded; a run of a script that is written without spaces becomes overlapping pairs, so
 * that two characters find the texts that contain them. `量子纠缠 Café` is `量子 子纠 纠缠 缠 cafe`.
 */

/** A run of letters of one kind in a text. */
interface Run {
  readonly at: number
  readonly text: string
  /** In a script without spaces between words. */
  readonly isPaired: boolean
}

/** A search term: the beginning of a word, or consecutive characters. All terms must match. */
export interface SearchTerm {
  readonly kind: 'word' | 'run'
  /** Folded. */
  readonly text: string
}

/** The position of a term in a text, in UTF-16 units. */
export interface TermMatch {
  readonly term: number
  readonly from: number
  readonly to: number
}

const paired = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`
const RUNS = /[\p{L}\p{N}\p{M}]+/gu
const KINDS = new RegExp(`[${paired}]+|[^${paired}]+`, 'gu')
const PAIRED = new RegExp(`^[${paired}]`, 'u')

/** Longer words are cut, in texts and in searches. */
const MOST_OF_WORD = 40
/** PostgreSQL accepts a megabyte of words per message. */
const MOST_BYTES = 800_000
const MOST_TERMS = 8

/** The calls of a reply are JSON in it: their `\n` is a line break and no letter. The length stays the same. */
const withoutEscapes = (text: string): string => text.replaceAll(/\\[nrtbf]/g, '  ')

function* runsOf(text: string): Generator<Run> {
  for (const run of withoutEscapes(text).matchAll(RUNS)) {
    for (const part of run[0].matchAll(KINDS)) {
      yield { at: run.index + part.index, text: part[0], isPaired: PAIRED.test(part[0]) }
    }
  }
}

/** One letter for all of its forms: of any case, width and accent. Nothing else is left of it: `½` is `12`. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Cs}]/gu, '')

const foldWord = (text: string): string => fold(text).slice(0, MOST_OF_WORD).toWellFormed()

/** The folded characters one by one, and the index in the run that each comes from. */
function foldEach(run: string): { readonly chars: readonly string[]; readonly from: readonly number[] } {
  const chars: string[] = []
  const from: number[] = []
  let at = 0
  for (const char of run) {
    for (const folded of fold(char)) {
      chars.push(folded)
      from.push(at)
    }
    at += char.length
  }
  return { chars, from }
}

const pairsOf = (chars: readonly string[]): readonly string[] => chars.map((char, at) => char + (chars[at + 1] ?? ''))

/** All words by which a text is found, each once. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  let bytes = 0
  for (const run of runsOf(text)) {
    for (const word of run.isPaired ? pairsOf(foldEach(run.text).chars) : [foldWord(run.text)]) {
      if (word === '' || words.has(word)) continue
      bytes += 8 + 3 * word.length
      if (bytes > MOST_BYTES) return words
      words.add(word)
    }
  }
  return words
}

/** The terms of a query; of a long one the first words. */
export function termsOf(query: string): readonly SearchTerm[] {
  const terms = [...runsOf(query)].map(({ text, isPaired }): SearchTerm => {
    return isPaired ? { kind: 'run', text: foldEach(text).chars.join('') } : { kind: 'word', text: foldWord(text) }
  })
  const known = new Set<string>()
  return terms.filter(({ text }) => text !== '' && !known.has(text) && known.add(text)).slice(0, MOST_TERMS)
}

/** The words that an index must have for a term: whole ones, or the beginning of one. */
export function indexedAs({ kind, text }: SearchTerm): {
  readonly whole: readonly string[]
  readonly begins: string | null
} {
  const chars = Array.from(text)
  return kind === 'word' || chars.length === 1
    ? { whole: [], begins: text }
    : { whole: [...new Set(pairsOf(chars).slice(0, -1))], begins: null }
}

/** The positions of the terms in a text, in order. */
export function matchesOfTerms(text: string, terms: readonly SearchTerm[]): readonly TermMatch[] {
  const places: TermMatch[] = []
  for (const run of runsOf(text)) {
    if (!run.isPaired) {
      const word = foldWord(run.text)
      for (const [term, one] of terms.entries()) {
        if (one.kind !== 'word' || !word.startsWith(one.text)) continue
        places.push({ term, from: run.at, to: run.at + run.text.length })
      }
      continue
    }
    const { chars, from } = foldEach(run.text)
    for (const [term, { kind, text: wanted }] of terms.entries()) {
      if (kind !== 'run') continue
      const looked = Array.from(wanted)
      for (let at = 0; at + looked.length <= chars.length; at += 1) {
        if (!looked.every((char, next) => chars[at + next] === char)) continue
        const end = from[at + looked.length]
        places.push({ term, from: run.at + (from[at] ?? 0), to: run.at + (end ?? run.text.length) })
      }
    }
  }
  return places.toSorted((a, b) => a.from - b.from)
}

/** The searched part of one message; text after it is not found. */
const MOST_CHARS = 100_000

/**
 * The searchable text of a message: user text, the names of files, tool results, and the reply as the model wrote it,
 * so that code and paths in its calls are found too. Reasoning is left out.
 */
export function searchTextOf(message: Message): string {
  if (message.role === 'assistant') return message.text.slice(0, MOST_CHARS)
  const parts: string[] = []
  let left = MOST_CHARS
  const add = (text: string): boolean => {
    if (text !== '') parts.push(text.slice(0, left))
    left -= text.length + 1
    return left > 0
  }
  if (!add(message.text)) return parts.join('\n')
  for (const { path } of message.attachments ?? []) if (!add(path)) return parts.join('\n')
  for (const { name, result, note } of [...message.results, ...(message.late ?? [])] satisfies ToolResult[]) {
    if (!add(name) || !add(note ?? '')) break
    if (!linesOf(result).every(add)) break
  }
  return parts.join('\n')
}

/** The scalars of a value with their keys: `path: a.txt`. */
function linesOf(value: JsonValue): readonly string[] {
  const lines: string[] = []
  const waiting: { readonly name: string; readonly value: JsonValue }[] = [{ name: '', value }]
  let chars = 0
  for (let one = waiting.pop(); one && chars < MOST_CHARS; one = waiting.pop()) {
    const { name, value: at } = one
    if (typeof at !== 'object' || at === null) {
      const text = at === null ? '' : String(at)
      const line = name === '' ? text : `${name}: ${text}`
      chars += line.length
      lines.push(line)
    } else if (Array.isArray(at)) {
      for (const item of at.toReversed()) waiting.push({ name: '', value: item })
    } else {
      for (const [key, item] of Object.entries(at).toReversed()) waiting.push({ name: key, value: item })
    }
  }
  return lines
}

/** A piece of a snippet; `hit`: it matches. */
export interface SnippetPart {
  readonly text: string
  readonly hit?: true
}

/** UTF-16 units, about two lines of the list. */
const LENGTH = 140
const BEFORE = 36

/** The piece of a text with the most matches, on one line. Null: not all terms are in the text. */
export function cutSnippet(text: string, terms: readonly SearchTerm[]): readonly SnippetPart[] | null {
  const places = matchesOfTerms(text, terms)
  if (terms.length === 0 || new Set(places.map(({ term }) => term)).size < terms.length) return null
  const best = bestFirst(places)
  const from = wordStart(text, Math.max(0, best.from - BEFORE), best.from)
  const to = Math.min(text.length, from + LENGTH)
  const parts: SnippetPart[] = []
  const add = (piece: string, hit: boolean) => {
    const line = piece.replaceAll(/\s+/g, ' ')
    if (line !== '') parts.push(hit ? { text: line, hit } : { text: line })
  }
  if (from > 0) add('…', false)
  let at = from
  for (const place of places) {
    if (place.from < at || place.to > to) continue
    add(text.slice(at, place.from), false)
    add(text.slice(place.from, place.to), true)
    at = place.to
  }
  const end = safeEnd(text, Math.max(to, at))
  add(text.slice(at, end), false)
  if (end < text.length) add('…', false)
  return joined(parts)
}

/** The position from which on the most different terms follow within a snippet. */
function bestFirst(places: readonly TermMatch[]): TermMatch {
  let best = places[0] as TermMatch
  let most = 0
  for (const [at, place] of places.entries()) {
    const seen = new Set<number>()
    for (let next = at; next < places.length && (places[next]?.to ?? 0) <= place.from + LENGTH - BEFORE; next += 1) {
      seen.add(places[next]?.term ?? -1)
    }
    if (seen.size > most) [best, most] = [place, seen.size]
    if (most > 0 && at > 2_000) break
  }
  return best
}

/** Moves back to the start of a word, if there is a space before. */
function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = text.slice(from, latest).search(/\s/)
  const start = space < 0 ? from : from + space + 1
  return isLow(text, start) ? start + 1 : start
}

const isLow = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00
const safeEnd = (text: string, at: number): number => (isLow(text, at) ? at - 1 : at)

const joined = (parts: readonly SnippetPart[]): readonly SnippetPart[] =>
  parts.reduce<SnippetPart[]>((all, part) => {
    const last = all.at(-1)
    if (last && last.hit === part.hit) all[all.length - 1] = { ...last, text: last.text + part.text }
    else all.push(part)
    return all
  }, [])
