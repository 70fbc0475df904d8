import type { Dialect, Outcome } from '../arguments/dialect'
import type { Source } from '../text/source'

/** What begins a call with marks, a thought, markup, a span of code, a fence or a quotation. */
const MEANS = /[<`◁]|\n[ \t]*(?:~~~|>)/

const hasMarks = ({ triggers }: Dialect): boolean => triggers.includes('<')

/**
 * What other forms than the active one would pass over as theirs, and nothing else: it is looked through where something in it
 * may be a call of the active form, or show one. What other forms read inside of it does not count. Forms of JSON read each
 * other's objects alike.
 */
export class ScannedUntil {
  private readonly source: Source
  private readonly own: Dialect | undefined
  /** Places in the whole text. */
  private stretch: { readonly from: number; readonly to: number } | null = null

  constructor(source: Source, own: Dialect | undefined) {
    this.source = source
    this.own = own
  }

  /** Whether a dialect is not asked at `at`. */
  silences(dialect: Dialect, at: number): boolean {
    const place = this.source.base + at
    return dialect !== this.own && this.stretch !== null && place > this.stretch.from && place < this.stretch.to
  }

  /** Whether what the dialect takes for its own from `at` on may be passed over; if not, it is looked through from then on. */
  mayPass({ end, clean }: Extract<Outcome, { kind: 'skip' }>, dialect: Dialect, at: number): boolean {
    const { own, source, stretch } = this
    if (clean === true || dialect === own || (!(own && hasMarks(own)) && !hasMarks(dialect))) return true
    if (!MEANS.test(source.text.slice(at + 1, end))) return true
    const from = source.base + at
    this.stretch = { from, to: Math.max(stretch?.from === from ? stretch.to : 0, source.base + end) }
    return false
  }
}
