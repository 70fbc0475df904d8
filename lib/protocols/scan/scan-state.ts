import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage, Dialect, Part, ReadContext, Outcome } from '../arguments/dialect'
import type { CallPlacement } from '../types/segment'
import type { Source } from '../text/source'
import { RequestedDialects } from './requested-dialects'
import { blankTail, isLineStart, readFenceCloser, type FenceOpener } from './fences'
import { anyOf } from '@/lib/base/text/characters'
import { COMMENT_CLOSER, type Region } from './markup-regions'
import type { ReadQuotation } from './quotation'
import { REASONING_TRIGGERS, ReasoningRegion, loneCloserIn, readLoneCloser, type ReasoningMark } from './reasoning'
import type { ResultFrames } from './outer-end'
import { readTurnEnd, TURN_TRIGGERS } from './turn-end'

/** The beginnings of calls with marks, reasoning, markup, code spans, fences and quotations. */
const MEANS = /[<`◁]|\n[ \t]*(?:~~~|>)/

const hasMarks = ({ triggers }: Dialect): boolean => triggers.includes('<')

/**
 * Text that forms other than the active one would skip as their own. It is read anyway if it may contain a call of the
 * active form, or show one; other forms' readings inside it do not count. JSON forms read each other's objects alike.
 */
class ScannedUntil {
  private readonly source: Source
  private readonly own: Dialect | undefined
  /** Offsets in the whole text. */
  private stretch: { readonly from: number; readonly to: number } | null = null

  constructor(source: Source, own: Dialect | undefined) {
    this.source = source
    this.own = own
  }

  /** Whether a dialect is not tried at `at`. */
  silences(dialect: Dialect, at: number): boolean {
    const place = this.source.base + at
    return dialect !== this.own && this.stretch !== null && place > this.stretch.from && place < this.stretch.to
  }

  /** Whether the range that the dialect claims from `at` may be skipped; if not, it is read from then on. */
  mayPass({ end, clean }: Extract<Outcome, { kind: 'skip' }>, dialect: Dialect, at: number): boolean {
    const { own, source, stretch } = this
    if (clean === true || dialect === own || (!(own && hasMarks(own)) && !hasMarks(dialect))) return true
    if (!MEANS.test(source.text.slice(at + 1, end))) return true
    const from = source.base + at
    this.stretch = { from, to: Math.max(stretch?.from === from ? stretch.to : 0, source.base + end) }
    return false
  }
}

export interface ScannerOptions {
  /** The active strategy's dialect first; calls of the others are foreign. */
  readonly dialects: readonly Dialect[]
  readonly tools: ToolIndex
  /** How results are framed in all strategies. */
  readonly frames: ResultFrames
  readonly explain: (breakage: Breakage, around: string) => string
}

/** One decision: what `[pos, end)` is, and how the state changes once it is certain. */
export interface Step {
  readonly end: number
  readonly kind: 'text' | 'reasoning' | 'parts' | 'extend'
  readonly parts?: readonly Part[]
  readonly standing?: CallPlacement
  readonly dialect?: string
  readonly envelope?: boolean
  readonly commit?: () => void
  /** Everything before turned out to be reasoning. */
  readonly allReasoning?: boolean
}

/**
 * State that depends on the text before: the enclosing region, whether a line begins here, whether a call or an
 * invented result came before; and the steps that follow from this state alone.
 */
export class ScanState {
  protected readonly options: ScannerOptions
  protected readonly source: Source
  protected readonly quotation: boolean
  protected readonly readQuotation: ReadQuotation
  protected readonly trigger: RegExp
  /** In a frame, its closers are also searched for. */
  protected readonly frameTrigger: RegExp
  protected readonly asked: RequestedDialects
  /** The context last passed to each dialect; it changes only with the region. */
  protected readonly contexts = new Map<Dialect, ReadContext & { readonly region: Region | null }>()
  protected pos = 0
  protected region: Region | null = null
  /** Only blanks since the last line end. */
  protected lineStart = true
  protected inlineEnd = -1
  protected sawReasoning = false
  protected sawCall = false
  /** The fence that the quotation's lines so far opened and did not close. */
  protected quotedFence: FenceOpener | null = null
  /** A result was invented after a call: the following text answers something that never happened. */
  protected invented = false
  /** The model's turn is over, or someone else speaks: nothing after it is a request of the model. */
  protected over = false
  /** Something other than white space and reasoning came before. */
  protected saidWords: boolean
  protected readonly through: ScannedUntil
  /** Number of characters read more than once. */
  protected repeated = 0
  /** Number of characters read ahead after quotations. */
  protected lookedBehind = 0

  constructor(
    options: ScannerOptions,
    source: Source,
    place: 'whole' | 'part' | 'quotation',
    readQuotation: ReadQuotation,
  ) {
    this.options = options
    this.source = source
    this.quotation = place === 'quotation'
    this.saidWords = place !== 'whole'
    this.readQuotation = readQuotation
    this.asked = RequestedDialects.of(options.dialects)
    this.through = new ScannedUntil(source, options.dialects[0])
    const triggers = ['\n{`', REASONING_TRIGGERS, TURN_TRIGGERS, ...options.dialects.map((dialect) => dialect.triggers)]
    this.trigger = anyOf(triggers.join(''))
    this.frameTrigger = anyOf(`${triggers.join('')}${COMMENT_CLOSER}${options.frames.closers}`)
  }

  get inReasoning(): boolean {
    return this.region?.kind === 'reasoning'
  }

  committed(step: Step): void {
    const { source, pos } = this
    if (source.reach - step.end > 256) this.repeated += source.reach - step.end
    // A broken call still counts as a call: a result after it is invented.
    if (step.standing !== 'quoted' && step.parts?.some((part) => part.kind !== 'text')) this.sawCall = true
    if (step.standing !== 'quoted' && step.parts?.some((part) => this.ranOn(part))) this.invented = true
    this.saidWords ||=
      step.kind !== 'reasoning' && (step.kind !== 'text' || /\S/.test(source.text.slice(pos, step.end)))
    this.lineStart = blankTail(source.text, pos, step.end, this.lineStart)
    step.commit?.()
  }

  /**
   * Whether the budget is used up: failed lookaheads may cost four times the text; after that the text is read as plain
   * text.
   */
  protected get exhausted(): boolean {
    return this.repeated > 4 * (this.source.base + this.pos) + 65_536
  }

  /**
   * Returns a function that finds where a whole call of the active strategy at a position ends; failed lookaheads count
   * towards the budget.
   */
  protected callEnds(): (at: number) => number | null {
    const { source } = this
    let paid = 0
    return (at) => {
      const [own] = this.options.dialects
      if (!own || paid > 32_768 || !this.asked.at(source.text, at).includes(own)) return null
      const reached = source.reach
      source.reach = at
      const outcome = own.read(source, at, this.context(own))
      const whole = outcome?.kind === 'parts' && outcome.parts.every((part) => part.kind === 'call')
      if (!whole) paid += source.reach - at
      source.reach = Math.max(source.reach, reached)
      source.certain = null
      return whole ? outcome.end : null
    }
  }

  protected turnEnd(): Step | null {
    const end = readTurnEnd(this.source, this.pos, this.lineStart)
    return end === null ? null : { kind: 'text', end, commit: () => (this.over = true) }
  }

  protected openReasoning(mark: ReasoningMark): Step {
    const commit = () => {
      this.region = new ReasoningRegion(mark)
      this.sawReasoning = true
    }
    return { kind: 'reasoning', end: mark.end, commit }
  }

  protected carries(fence: FenceOpener): boolean {
    return this.options.dialects.some((dialect) => dialect.fences.includes(fence.language))
  }

  protected plain(end: number): Step {
    return { kind: this.region?.kind === 'reasoning' ? 'reasoning' : 'text', end }
  }

  protected context(dialect: Dialect): ReadContext {
    const { region, source } = this
    const fence = region?.kind === 'fence' ? region.fence : null
    const carrier = fence !== null && dialect.fences.includes(fence.language)
    const inAnswer = region?.kind === 'fence' && region.answered
    const quoted = this.quotation || this.invented || this.over || inAnswer || (region !== null && !carrier)
    const known = this.contexts.get(dialect)
    const opensReply = !this.saidWords
    if (known && known.region === region && known.quoted === quoted && known.opensReply === opensReply) return known
    const context = {
      tools: this.options.tools,
      own: dialect === this.options.dialects[0],
      carrier,
      quoted,
      opensReply,
      isFenceEnd: (i: number) => fence !== null && isLineStart(source, i) && readFenceCloser(source, i, fence) !== null,
      region,
    }
    this.contexts.set(dialect, context)
    return context
  }

  protected atLineStart(at: number): readonly Dialect[] {
    const place = this.region?.kind === 'fence' || !this.saidWords ? 'beginning' : 'prose'
    return this.asked.atLineStart(this.source.text, at, place)
  }

  /** Whether a call that was never closed extends over its answer: a result, or someone else's turn. */
  protected ranOn(part: Part): boolean {
    return (
      part.kind === 'broken' &&
      (part.breakage.reason === 'truncated' || part.breakage.reason === 'missing-end') &&
      this.options.frames.holdsAnswer(this.source.text.slice(part.start, part.end))
    )
  }

  /** A string that never closes does not protect a lone closer in it. */
  protected closerInBroken(parts: readonly Part[], dialect: Dialect): number | null {
    if (this.sawReasoning || this.quotation || this.region) return null
    const cut = parts.find(
      (part) =>
        part.kind === 'broken' && (part.breakage.reason === 'truncated' || part.breakage.reason === 'missing-end'),
    )
    return cut ? loneCloserIn(this.source, cut.start, cut.end, dialect) : null
  }

  protected closeFence(region: Extract<Region, { kind: 'fence' }>): Step | null {
    const { source, pos } = this
    if (!region.afterCall && !this.lineStart) return null
    const done = () => {
      this.region = null
    }
    if (region.afterCall) {
      const next = source.skipSpace(pos)
      const closer = readFenceCloser(source, next, region.fence)
      if (closer !== null) return { kind: 'extend', end: closer, commit: done }
      if (source.decided) region.afterCall = false
    }
    if (!this.lineStart) return null
    const closer = readFenceCloser(source, pos, region.fence)
    return closer === null ? null : { kind: 'text', end: closer, commit: done }
  }

  protected closeRegion(region: Exclude<Region, { kind: 'fence' }>): Step | null {
    const { source, pos } = this
    if (region.kind === 'frame') {
      const end = region.closes(source, pos)
      return end === null ? null : { kind: 'text', end, commit: () => (this.region = null) }
    }
    const found =
      region.kind === 'markup' ? region.read(source, pos) : region.read(source, pos, this.lineStart, !this.exhausted)
    if (!found) return null
    const commit = () => {
      found.commit()
      if (found.closes) this.region = null
    }
    return { ...this.plain(found.end), commit }
  }

  protected loneCloser(): Step | null {
    if (this.sawReasoning || this.quotation) return null
    const end = readLoneCloser(this.source, this.pos, this.lineStart)
    return end === null ? null : this.allReasoning(end)
  }

  /** A step that marks everything up to `end` as reasoning. */
  protected allReasoning(end: number): Step {
    const commit = () => {
      this.sawReasoning = true
      this.saidWords = false
      this.sawCall = false
      this.invented = false
      this.over = false
    }
    return { kind: 'reasoning', end, allReasoning: true, commit }
  }
}
