import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { CallToWrite } from '../types/tool-context-def'

/*
 * A grammar as data: written as GBNF or RegExp for servers, walked at random for tests. Notes record what a part means,
 * so that a walk knows the calls in its text without using our readers.
 */
export type Grammar =
  | { readonly kind: 'lit'; readonly text: string }
  | CharsNode
  | { readonly kind: 'seq'; readonly items: readonly Grammar[] }
  | { readonly kind: 'alt'; readonly items: readonly Grammar[] }
  | ManyNode
  | TextNode
  | { readonly kind: 'note'; readonly note: Note; readonly of: Grammar }
  | RefNode
  | { readonly kind: 'prose'; readonly prose: Prose }

/** One character of this set, or any character outside it. Ranges are code points, both ends included. */
export interface CharsNode {
  readonly kind: 'chars'
  readonly not: boolean
  readonly ranges: readonly CharRange[]
}

export type CharRange = readonly [from: number, to: number]

export interface ManyNode {
  readonly kind: 'many'
  readonly of: Grammar
  readonly min: number
  /** Infinity: no upper limit. */
  readonly max: number
}

/** The body of a value that takes any text of this many characters (code points). */
export interface TextNode {
  readonly kind: 'text'
  readonly of: Grammar
  readonly min: number
  readonly max: number
  /** Writes a text in this form, in one of possibly many ways; null if it can't be written. */
  readonly write: (text: string, random: Random) => string | null
}

/** A named part: written once however often the grammar uses it, and allowed to contain itself. */
export interface RefNode {
  readonly kind: 'ref'
  readonly name: string
  readonly of: () => Grammar
}

/** What a part means. `read` receives the part's text. */
export type Note =
  | { readonly as: 'call'; readonly read: (text: string) => CallToWrite }
  /** Begins a call whose arguments follow in separate notes. */
  | { readonly as: 'name'; readonly name: string }
  | { readonly as: 'arguments'; readonly read: (text: string) => JsonObject }
  | { readonly as: 'argument'; readonly key: string; readonly read: (text: string) => JsonValue }

/**
 * Free text as an automaton: which characters may occur anywhere, and what must follow once something has begun. `body`
 * is the text between a step's character and its next state.
 */
export interface Prose {
  readonly start: number
  readonly states: readonly ProseState[]
  /** Keywords of the form itself, for a walk to try. */
  readonly words: readonly string[]
}

export interface ProseState {
  /** The text may end here. */
  readonly ends: boolean
  /** No character is in two steps; a character that is in none is not allowed here. */
  readonly steps: readonly ProseStep[]
}

export interface ProseStep {
  readonly on: CharsNode
  readonly body?: Grammar
  readonly to: number
}

export const lit = (text: string): Grammar => ({ kind: 'lit', text })
export const seq = (...items: readonly Grammar[]): Grammar => ({ kind: 'seq', items })
export const alt = (...items: readonly Grammar[]): Grammar =>
  items.length === 1 && items[0] ? items[0] : { kind: 'alt', items }
export const many = (of: Grammar, min = 0, max = Infinity): ManyNode => ({ kind: 'many', of, min, max })
export const optional = (of: Grammar): Grammar => many(of, 0, 1)
export const meaning = (what: Note, of: Grammar): Grammar => ({ kind: 'note', note: what, of })
export const ref = (name: string, of: () => Grammar): RefNode => ({ kind: 'ref', name, of })
export const nothing = lit('')

/** Single characters, and ranges as pairs: `chars('_', ['a', 'z'])`. */
export const chars = (...of: readonly CharsOf[]): CharsNode => ({
  kind: 'chars',
  not: false,
  ranges: of.flatMap(ranges),
})
/** Any character except these. */
export const charsBut = (...of: readonly CharsOf[]): CharsNode => ({
  kind: 'chars',
  not: true,
  ranges: of.flatMap(ranges),
})

type CharsOf = string | readonly [from: string, to: string]

function ranges(of: CharsOf): readonly CharRange[] {
  if (typeof of !== 'string') return [[of[0].codePointAt(0) ?? 0, of[1].codePointAt(0) ?? 0]]
  return Array.from(of, (char) => [char.codePointAt(0) ?? 0, char.codePointAt(0) ?? 0] as const)
}

export const takesChar = ({ not, ranges: all }: CharsNode, code: number): boolean =>
  all.some(([from, to]) => code >= from && code <= to) !== not

/** A stream of random numbers that is determined by its seed. */
export interface Random {
  /** An integer from 0 to `below` - 1. */
  readonly int: (below: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly chance: (share: number) => boolean
}

/** Mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * Math.max(1, below))
  return {
    int,
    pick: (list) => {
      const one = list[int(list.length)]
      if (one === undefined) throw new Error('nothing to pick from')
      return one
    },
    chance: (share) => next() < share,
  }
}
