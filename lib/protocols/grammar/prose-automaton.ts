import { takesChar, type CharsNode, type Grammar, type Prose, type ProseState, type ProseStep } from './grammar'
import { withFewerStates } from './fewer-states'

/** One position of a pattern: a character of the class or, with `loop`, any number of them, including none. */
export interface PatternState {
  readonly of: CharsNode
  readonly loop: boolean
}

export interface ProseWord {
  readonly pattern: readonly PatternState[]
  /**
   * What the pattern's last character leads to: another mode, entered as if `after` had just been written there. Null:
   * the pattern can't be written.
   */
  readonly enters: { readonly mode: string; readonly after?: string } | null
  /** What must follow the pattern before the mode continues. */
  readonly body?: Grammar
}

/**
 * A mode in which text is read. It searches for its patterns everywhere or, with `anchored`, only at its beginning. If
 * several end at the same character, the first one counts. If no pattern continues, an anchored mode passes the
 * character to `rest`.
 */
export interface ProseMode {
  readonly words: readonly ProseWord[]
  readonly anchored?: true
  readonly rest?: { readonly mode: string; readonly after?: string }
  /** False: the text can't end here. */
  readonly ends?: false
}

export type ProseModes = Readonly<Record<string, ProseMode>>

/** Represents any character that no pattern names. */
const OTHER = 0x10fffd

/**
 * A state while it is built: the mode, and the progress of its patterns as sorted numbers of positions that may be read
 * next. If a mode searches everywhere, the first positions are implied: any of them may always be read.
 */
interface Situation {
  readonly mode: ReadyMode
  readonly at: readonly number[]
  /** The number of its state; -1 before it has one. */
  number: number
}

interface Move {
  readonly to: Situation
  readonly body?: Grammar
}

/** A position of a pattern, prepared for lookup. */
interface PatternPosition {
  readonly word: number
  readonly of: CharsNode
  /** The positions that may be read after it. */
  readonly next: readonly number[]
  /** Nothing that must be read follows it. */
  readonly last: boolean
}

/** What a character does to the patterns that begin with it. */
interface Beginning {
  readonly next: readonly number[]
  /** The first pattern that it completes; Infinity for none. */
  readonly done: number
  /** What it does while no other pattern is in progress. */
  move?: { readonly does: Move | null }
}

/**
 * A mode with its characters grouped into kinds. Most characters mean the same to a mode, so the result for each kind
 * is computed once.
 */
interface ReadyMode extends ProseMode {
  readonly number: number
  readonly places: readonly PatternPosition[]
  /** The first positions of its patterns. */
  readonly first: readonly number[]
  /** The kind of each character, by index in the alphabet; kinds are numbered in alphabet order. */
  readonly kinds: readonly number[]
  readonly codesOf: readonly (readonly number[])[]
  /** For each kind, the alphabet index of its first character. */
  readonly samples: readonly number[]
  /** For each position, the kinds that it accepts. */
  readonly takenBy: readonly (readonly number[])[]
  /** For each kind and position: 1 if the position accepts the kind. */
  readonly takes: readonly Uint8Array[]
  readonly beginnings: Beginning[]
  /** Character classes of kinds, each built once. */
  readonly classes: Map<string, CharsNode>
}

/** Compiles the modes into one automaton, as multi-pattern search does. `start`: the mode in which the text begins. */
export function proseAutomaton(
  modes: ProseModes,
  start: { readonly mode: string; readonly after?: string },
  words: readonly string[],
): Prose {
  const builder = new Builder(modes)
  return withFewerStates(builder.build(start, words))
}

class Builder {
  private readonly modes: ReadonlyMap<string, ReadyMode>
  /** All characters that some pattern names, followed by one that no pattern names. */
  private readonly alphabet: readonly number[]
  private readonly numbers = new Map<string, Situation>()
  private readonly situations: Situation[] = []
  private readonly entered = new Map<string, Situation>()

  constructor(modes: ProseModes) {
    const named = new Set<number>()
    for (const { words } of Object.values(modes))
      for (const { pattern } of words)
        for (const { of } of pattern)
          for (const [from, to] of of.ranges) for (let code = from; code <= to; code++) named.add(code)
    this.alphabet = [...[...named].toSorted((a, b) => a - b), OTHER]
    this.modes = readyModes(modes, this.alphabet)
  }

  build(start: { readonly mode: string; readonly after?: string }, words: readonly string[]): Prose {
    this.number(this.enter(start))
    const states: ProseState[] = []
    // The list grows during this loop.
    for (let i = 0; i < this.situations.length; i++) {
      const situation = this.situations[i]
      if (situation) states.push(this.state(situation))
    }
    return { start: 0, states, words }
  }

  private mode(name: string): ReadyMode {
    const mode = this.modes.get(name)
    if (!mode) throw new Error(`no mode of prose is called ${name}`)
    return mode
  }

  private enter({ mode: name, after = '' }: { readonly mode: string; readonly after?: string }): Situation {
    const key = `${name} ${after}`
    const known = this.entered.get(key)
    if (known) return known
    const mode = this.mode(name)
    let situation: Situation = { mode, at: mode.anchored ? mode.first : [], number: -1 }
    for (const char of after) {
      const at = this.alphabet.indexOf(char.codePointAt(0) ?? 0)
      situation = (at < 0 ? null : this.move(situation, at)?.to) ?? situation
    }
    this.entered.set(key, situation)
    return situation
  }

  private number(situation: Situation): number {
    if (situation.number >= 0) return situation.number
    const key = String.fromCharCode(situation.mode.number, ...situation.at)
    const same = this.numbers.get(key)
    situation.number = same?.number ?? this.situations.length
    if (!same) {
      this.numbers.set(key, situation)
      this.situations.push(situation)
    }
    return situation.number
  }

  /** What a character does, by its alphabet index. */
  private move({ mode, at }: Situation, char: number): Move | null {
    const kind = mode.kinds[char] ?? 0
    const takes = mode.takes[kind]
    const begins = startOf(mode, kind)
    let next: number[] | null = null
    let { done } = begins
    for (const number of at) {
      const place = mode.places[number]
      if (!place || takes?.[number] !== 1) continue
      if (place.last && place.word < done) done = place.word
      next ??= [...begins.next]
      next.push(...place.next)
    }
    if (next !== null) return this.moveTo(mode, char, { next, done, begun: begins.next })
    begins.move ??= { does: this.moveTo(mode, char, { next, done, begun: begins.next }) }
    return begins.move.does
  }

  private moveTo(
    mode: ReadyMode,
    char: number,
    {
      next,
      done,
      begun,
    }: { readonly next: readonly number[] | null; readonly done: number } & {
      readonly begun: readonly number[]
    },
  ): Move | null {
    const { words, anchored, rest } = mode
    const word = words[done]
    if (word) {
      if (!word.enters) return null
      return { to: this.enter(word.enters), ...(word.body ? { body: word.body } : {}) }
    }
    if (anchored && next === null) return rest ? this.move(this.enter(rest), char) : null
    return { to: { mode, at: next ? namedPlaces(mode, next) : begun, number: -1 } }
  }

  private state(situation: Situation): ProseState {
    const { mode } = situation
    const other = this.alphabet.length - 1
    const usual = this.move(situation, other)
    const usualNumber = usual && !usual.body ? this.number(usual.to) : null
    /** Kinds that a pattern in progress accepts; any other kind does what it does everywhere in the mode. */
    const taken = new Uint8Array(mode.codesOf.length)
    for (const place of situation.at) for (const kind of mode.takenBy[place] ?? []) taken[kind] = 1
    const groups = new Map<number, number[]>()
    const steps: ProseStep[] = []
    const unusual: number[] = []
    for (const [kind, codes] of mode.codesOf.entries()) {
      const sample = mode.samples[kind] ?? other
      if (sample === other) continue
      const known = taken[kind] === 1 ? undefined : mode.beginnings[kind]?.move
      const move = known ? known.does : this.move(situation, sample)
      const to = move ? this.number(move.to) : -1
      if (move && !move.body && to === usualNumber) continue
      unusual.push(kind)
      if (!move) continue
      if (move.body) for (const code of named(codes)) steps.push({ on: classOf([code], false), to, body: move.body })
      else {
        const group = groups.get(to)
        if (group) group.push(kind)
        else groups.set(to, [kind])
      }
    }
    for (const [to, kinds] of groups) steps.push({ on: classIn(mode, kinds, false), to })
    steps.sort((a, b) => firstCode(a) - firstCode(b))
    if (usualNumber !== null) steps.unshift({ on: classIn(mode, unusual, true), to: usualNumber })
    return { ends: mode.ends !== false, steps }
  }
}

function startOf(mode: ReadyMode, kind: number): Beginning {
  const known = mode.beginnings[kind]
  if (known) return known
  let done = Infinity
  const next: number[] = []
  // An anchored mode lists its first positions explicitly.
  for (const number of mode.anchored ? [] : mode.first) {
    const place = mode.places[number]
    if (!place || mode.takes[kind]?.[number] !== 1) continue
    if (place.last && place.word < done) done = place.word
    next.push(...place.next)
  }
  const made: Beginning = { next: namedPlaces(mode, next), done }
  mode.beginnings[kind] = made
  return made
}

/** Removes duplicates and sorts. The first positions of a mode that searches everywhere are implied. */
function namedPlaces({ anchored, first }: ReadyMode, numbers: readonly number[]): readonly number[] {
  const sorted = numbers.length > 1 ? numbers.toSorted((a, b) => a - b) : numbers
  return sorted.filter((one, i) => one !== sorted[i - 1] && (anchored === true || !first.includes(one)))
}

const firstCode = ({ on }: ProseStep): number => on.ranges[0]?.[0] ?? 0

const named = (codes: readonly number[]): readonly number[] => codes.filter((code) => code !== OTHER)

function classIn({ classes, codesOf }: ReadyMode, kinds: readonly number[], not: boolean): CharsNode {
  const key = String.fromCharCode(not ? 1 : 0, ...kinds)
  const known = classes.get(key)
  if (known) return known
  const codes = kinds.flatMap((kind) => named(codesOf[kind] ?? [])).toSorted((a, b) => a - b)
  const made = classOf(codes, not)
  classes.set(key, made)
  return made
}

function readyModes(modes: ProseModes, alphabet: readonly number[]): ReadonlyMap<string, ReadyMode> {
  const ready = new Map<string, ReadyMode>()
  const make = (name: string): ReadyMode | undefined => {
    const known = ready.get(name)
    const mode = modes[name]
    if (known || !mode) return known
    // Character kinds that no pattern accepts are handled as in the `rest` mode.
    const rest = mode.rest && make(mode.rest.mode)
    const made = readyMode(mode, ready.size, alphabet, rest)
    ready.set(name, made)
    return made
  }
  for (const name of Object.keys(modes)) make(name)
  return ready
}

function readyMode(
  mode: ProseMode,
  number: number,
  alphabet: readonly number[],
  rest: ReadyMode | undefined,
): ReadyMode {
  const places: PatternPosition[] = []
  const first: number[] = []
  for (const [word, { pattern }] of mode.words.entries()) {
    const base = places.length
    /** The positions that can be read next from there, skipping optional ones. */
    const from = (start: number): number[] => {
      const all: number[] = []
      for (let i = start; i < pattern.length; i++) {
        all.push(base + i)
        if (pattern[i]?.loop !== true) break
      }
      return all
    }
    first.push(...from(0))
    for (const [i, { of, loop }] of pattern.entries())
      places.push({
        word,
        of,
        next: from(loop ? i : i + 1),
        last: !loop && pattern.slice(i + 1).every((behind) => behind.loop),
      })
  }
  const known = new Map<string, number>()
  const codesOf: number[][] = []
  const samples: number[] = []
  const takes: Uint8Array[] = []
  const kinds = alphabet.map((code, i) => {
    const taken = Uint8Array.from(places, ({ of }) => (takesChar(of, code) ? 1 : 0))
    const key = `${rest?.kinds[i] ?? ''} ${taken.join('')}`
    const kind = known.get(key) ?? known.size
    if (kind === known.size) {
      known.set(key, kind)
      codesOf.push([])
      samples.push(i)
      takes.push(taken)
    }
    codesOf[kind]?.push(code)
    return kind
  })
  const takenBy = places.map((_, place) => takes.flatMap((of, kind) => (of[place] === 1 ? [kind] : [])))
  const found = { kinds, codesOf, samples, takes, takenBy }
  return { ...mode, number, places, first, ...found, beginnings: [], classes: new Map() }
}

function classOf(codes: readonly number[], not: boolean): CharsNode {
  const ranges: [number, number][] = []
  for (const code of codes) {
    const last = ranges.at(-1)
    if (last && last[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  return { kind: 'chars', not, ranges }
}
