import type { BrokenReason, RepairCode } from '../types/segment'
import type { JsonNode } from './node'

interface LocatedRepair {
  readonly code: RepairCode
  readonly at: number
}

/** The repairs of one reading by position, so that each call in a long list gets its own. */
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

/**
 * The keys that an object may have. They are the anchors by which the reader distinguishes a bare quote from the end of
 * a string. Null: any.
 */
export interface Shape {
  has(key: string): boolean
  /** The keys, normalised, that one wrong character would turn into this word. */
  near(word: string): readonly string[]
  /** The object may have other keys in addition to the known ones. */
  readonly open: boolean
  /** Keys that are not plain words, or may be written with escapes: text is searched for them literally. */
  readonly odd: readonly string[]
  /** The shape of the value under `key`; `name` is the tool's name if the object has already named it. */
  child(key: string, name: string | null): Shape | null
}

export interface JsonFailure {
  readonly reason: Extract<BrokenReason, 'truncated' | 'bad-json' | 'too-deep'>
  readonly at: number
  readonly detail: string
  /** The failure is right after a string, so it may have been inside the string. */
  readonly afterString: boolean
  /** Up to here the text was certainly inside the value; the search for calls may resume here. */
  readonly resume: number
}

export interface JsonReading {
  readonly node: JsonNode | null
  /** Offset after the value, or where reading stopped if it failed. */
  readonly end: number
  readonly repairs: readonly LocatedRepair[]
  readonly failure: JsonFailure | null
  /** The reader guessed which quotes end a string: the caller checks keys strictly. */
  readonly guessed: boolean
  /** In a guessed reading: up to here the text was inside the value without any guess. */
  readonly sure?: number
  /** A brace or a bracket was accepted as the end of something that it does not close. */
  readonly crossed: Crossing
}

export type Crossing = 'brace' | 'bracket' | null

export interface ReadJsonOptions {
  /**
   * Whether markup (a closer, an opener, the end of a fence) is at `i`, between tokens: missing brackets are then
   * certain.
   */
  readonly isStop?: (i: number) => boolean
  /** Whether a value without quotes that ends at the markup at `i` was cut off: the text after it shows that. */
  readonly isCut?: (i: number) => boolean
  /** Where a call begins whose first quote is at `quote` inside a string: the string before it was cut off. */
  readonly cutBefore?: (quote: number) => number
  /**
   * Whether the text at `i` may follow the whole value (white space is already skipped); called only when quotes are
   * guessed.
   */
  readonly mayFollow?: (i: number, afterNewline: boolean) => boolean
  readonly shape?: Shape | null
  /** Another object may follow this one: the brace before it may be missing. */
  readonly several?: boolean
  /** False: strings end at their first quote, without guessing. */
  readonly guess?: boolean
}
