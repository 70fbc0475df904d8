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

/**
 * The grammar in GBNF, as llama.cpp accepts it and XGrammar reads as EBNF: one rule per line, `root` first. Every named
 * part is a rule; names consist of letters, digits and `-`.
 */
export function toGbnf(grammar: Grammar): string {
  const writer = new GbnfWriter()
  const root = writer.body(grammar)
  return [`root ::= ${root}`, ...writer.rules()].join('\n')
}

class GbnfWriter {
  private readonly written = new Map<string, string>()
  private readonly names = new Map<unknown, string>()

  rules(): readonly string[] {
    return [...this.written].map(([name, body]) => `${name} ::= ${body}`)
  }

  /** The right side of a rule: alternatives need no brackets. */
  body(node: Grammar): string {
    if (node.kind === 'alt') return node.items.map((item) => this.part(item)).join(' | ')
    if (node.kind === 'note' || node.kind === 'text') return this.body(node.of)
    return this.part(node)
  }

  private part(node: Grammar): string {
    switch (node.kind) {
      case 'lit':
        return quoted(node.text)
      case 'chars':
        return charClass(node)
      case 'seq':
        return this.sequence(node.items)
      case 'alt':
        return `(${this.body(node)})`
      case 'many':
        return this.many(node)
      case 'text':
      case 'note':
        return this.part(node.of)
      case 'ref':
        return this.rule(node)
      case 'prose':
        return this.prose(node.prose)
    }
  }

  private sequence(items: readonly Grammar[]): string {
    const parts = items.filter((item) => !(item.kind === 'lit' && item.text === '')).map((item) => this.part(item))
    return parts.length === 0 ? '""' : parts.join(' ')
  }

  private many({ of, min, max }: ManyNode): string {
    const inner = this.part(of)
    const unit = isOnePart(of) ? inner : `(${inner})`
    if (max === Infinity) return min === 0 ? `${unit}*` : `${unit}{${min},}`
    if (min === 0 && max === 1) return `${unit}?`
    return min === max ? `${unit}{${min}}` : `${unit}{${min},${max}}`
  }

  private rule(node: RefNode): string {
    const known = this.names.get(node)
    if (known !== undefined) return known
    const name = this.nameFor(node, node.name)
    this.written.set(name, this.body(node.of()))
    return name
  }

  private nameFor(key: unknown, wanted: string): string {
    const plain =
      wanted
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '') || 'part'
    let name = plain
    for (let n = 2; this.written.has(name) || name === 'root'; n++) name = `${plain}-${n}`
    this.names.set(key, name)
    // Reserves the rule's place in order while the part is still being written.
    this.written.set(name, '""')
    return name
  }

  /** An automaton as right recursion: one rule per state. */
  private prose(prose: Prose): string {
    const known = this.names.get(prose)
    if (known !== undefined) return known
    const names = prose.states.map((_, i) => this.nameFor(`${i} of a prose`, i === 0 ? 'prose' : `p${i.toString(36)}`))
    this.names.set(prose, names[prose.start] ?? '""')
    for (const [i, state] of prose.states.entries()) {
      const name = names[i]
      if (name === undefined) continue
      const steps = state.steps.map((step) => this.step(step, names))
      this.written.set(name, [...(state.ends ? ['""'] : []), ...steps].join('|'))
    }
    return names[prose.start] ?? '""'
  }

  private step({ on, body, to }: ProseStep, names: readonly string[]): string {
    const next = names[to] ?? '""'
    // There are thousands of rules, sent with every request, so unneeded spaces are omitted.
    return body ? `${charClass(on)} ${this.part(body)} ${next}` : `${charClass(on)}${next}`
  }
}

/** Whether a repetition operator applies to all of it. */
function isOnePart(node: Grammar): boolean {
  if (node.kind === 'note' || node.kind === 'text') return isOnePart(node.of)
  return node.kind !== 'seq' && node.kind !== 'many'
}

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

const quoted = (text: string): string =>
  `"${Array.from(text, (char) => (char === '"' ? '\\"' : escaped(char))).join('')}"`

function charClass({ not, ranges: all }: CharsNode): string {
  const only = all.length === 1 && !not ? all[0] : undefined
  if (only && only[0] === only[1]) return quoted(String.fromCodePoint(only[0]))
  const parts = all.map(([from, to]) => (from === to ? inClass(from) : `${inClass(from)}-${inClass(to)}`))
  return `[${not ? '^' : ''}${parts.join('')}]`
}

function inClass(code: number): string {
  const char = String.fromCodePoint(code)
  return ']^-['.includes(char) ? `\\x${hex(code, 2)}` : escaped(char)
}

/**
 * Escapes characters that can't be in a grammar as they are: control characters, blanks other than the space, lone
 * surrogates.
 */
function escaped(char: string): string {
  const named = NAMED[char]
  if (named !== undefined) return named
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  return code > 0x7f && /[^\p{L}\p{N}\p{P}\p{S}]/u.test(char)
    ? `\\${code > 0xffff ? `U${hex(code, 8)}` : `u${hex(code, 4)}`}`
    : char
}

const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0')
