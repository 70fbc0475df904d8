import type { BrokenReason, RepairCode } from '../types/segment'
import type { JsonNode } from './node'

interface LocatedRepair {
  readonly code: RepairCode
  readonly at: number
}

/** The repairs of one reading by place, so that each call of a long list gets its own. */
export class RepairIndex {
  private readonly sorted: readonly LocatedRepair[]

  constructor(repairs: readonly LocatedRepair[]) {
    this.sorted = repairs.toSorted((a, b) => a.at - b.at)
  }

  /** Codes of the repairs in `[from, to)`. */
  between(from: number, to: number): ReadonlySet<RepairCode> {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle]?.at ?? 0) < from) low = middle + 1
      else high = middle
    }
    const codes = new Set<RepairCode>()
    for (let i = low; i < this.sorted.length; i++) {
      const repair = this.sorted[i]
      if (!repair || repair.at >= to) break
      codes.add(repair.code)
    }
    return codes
  }
}

/** What keys an object may have: the anchors by which a bare quote is told from the end of a string. Null: any. */
export interface Shape {
  has(key: string): boolean
  /** It may have keys beside those it has for certain. */
  readonly open: boolean
  /** Those of its keys that are no plain words, or may be written with escapes: a text is searched for them as they are. */
  readonly odd: readonly string[]
  /** The shape of the value under `key`; `name` is the tool's name where the object has told it already. */
  child(key: string, name: string | null): Shape | null
}

export interface JsonFailure {
  readonly reason: Extract<BrokenReason, 'truncated' | 'bad-json' | 'too-deep'>
  readonly at: number
  readonly detail: string
  /** What failed is right after a string: it may have been inside of it. */
  readonly afterString: boolean
  /** Up to here the text was certainly inside the value; a new look for calls may start here. */
  readonly resume: number
}

export interface JsonReading {
  readonly node: JsonNode | null
  /** After the value; where reading stopped if it failed. */
  readonly end: number
  readonly repairs: readonly LocatedRepair[]
  readonly failure: JsonFailure | null
  /** Quotes inside strings were told from ends of strings by guessing: the caller checks keys strictly. */
  readonly guessed: boolean
  /** Of a guessed reading: up to here the text was inside the value without any guess. */
  readonly sure?: number
  /** A brace, or a bracket, was taken for the end of something that it does not close. */
  readonly crossed: Crossing
}

export type Crossing = 'brace' | 'bracket' | null

export interface ReadJsonOptions {
  /** Markup (a closer, an opener, the end of a fence) stands at `i`, between tokens: missing brackets are certain. */
  readonly isStop?: (i: number) => boolean
  /** A value without quotes that the markup at `i` ends was cut off there: what is behind says so. */
  readonly isCut?: (i: number) => boolean
  /** Where a call begins whose first quote stands at `quote` inside a string: the string before it was cut off. */
  readonly cutBefore?: (quote: number) => number
  /** What may follow the whole value at `i` (white space before it skipped); only asked when quotes are guessed. */
  readonly mayFollow?: (i: number, afterNewline: boolean) => boolean
  readonly shape?: Shape | null
  /** Another object may follow this one: the brace before it may be missing. */
  readonly several?: boolean
  /** False: strings end at their first quote, nothing is guessed. */
  readonly guess?: boolean
}
