import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage, Dialect, Outcome, Part, ReadContext } from '../arguments/dialect'
import type { CallPlacement } from '../types/segment'
import * as Char from '../text/char'
import type { Source } from '../text/source'
import { AskedDialects } from './asked-dialects'
import {
  blankTail,
  isLineStart,
  readFenceCloser,
  readFenceOpener,
  runEnd,
  skipCommentLines,
  inlineCodeEnd,
  isSpanOfCode,
} from './fences'
import type { FenceOpener } from './fences'
import { anyOf } from './literal-pattern'
import { readMarkupOpener, COMMENT_CLOSER, fenceRegion, type Region } from './markup-regions'
import { ScannedUntil } from './scanned-until'
import { isRefused, noteComment } from './json-tail'
import {
  type Quotation,
  quoteLines,
  type ReadQuotation,
  readDiff,
  goesOn,
  openFenceBehind,
  readBlockquote,
  readPlainQuote,
  withLostMarks,
} from './quotation'
import {
  readAnalysis,
  readInlineTokens,
  readReasoningOpener,
  REASONING_TRIGGERS,
  ReasoningRegion,
  loneCloserIn,
  readLoneCloser,
} from './reasoning'
import type { ReasoningMark } from './reasoning'
import type { ResultFrames } from './outer-end'
import { endsTurn, readInvented, readSpeaker, readTurnEnd, TURN_TRIGGERS } from './turn-end'

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
  /** All that came before was reasoning after all. */
  readonly allReasoning?: boolean
}

/**
 * Decides step by step what the text is. It keeps what must be known of the text before: the region around, whether a
 * line begins here, whether a call or an invented result came before.
 */
export class Steps {
  private readonly options: ScannerOptions
  private readonly source: Source
  private readonly quotation: boolean
  private readonly readQuotation: ReadQuotation
  private readonly trigger: RegExp
  /** In a frame its closers are looked for, too. */
  private readonly frameTrigger: RegExp
  private readonly asked: AskedDialects
  /** What the dialects were last told of the place; it changes with the region only. */
  private readonly contexts = new Map<Dialect, ReadContext & { readonly region: Region | null }>()
  private pos = 0
  private region: Region | null = null
  /** Only blanks since the last line end. */
  private lineStart = true
  private inlineEnd = -1
  private sawReasoning = false
  private sawCall = false
  /** The fence that the lines of the quotation read so far opened and did not close. */
  private quotedFence: FenceOpener | null = null
  /** A result was invented after a call: what follows answers to something that never happened. */
  private invented = false
  /** The model's turn is over, or somebody else speaks: nothing after it is its request. */
  private over = false
  /** Something else than white space and reasoning came before. */
  private saidWords: boolean
  private readonly through: ScannedUntil
  /** Characters that were looked at more than once. */
  private repeated = 0
  /** Characters that were looked at behind quotations. */
  private lookedBehind = 0

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
    this.asked = AskedDialects.of(options.dialects)
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
    // A call that is broken was made all the same: a result behind it is invented.
    if (step.standing !== 'quoted' && step.parts?.some((part) => part.kind !== 'text')) this.sawCall = true
    if (step.standing !== 'quoted' && step.parts?.some((part) => this.ranOn(part))) this.invented = true
    this.saidWords ||=
      step.kind !== 'reasoning' && (step.kind !== 'text' || /\S/.test(source.text.slice(pos, step.end)))
    this.lineStart = blankTail(source.text, pos, step.end, this.lineStart)
    step.commit?.()
  }

  /** Decides what the text at `pos` is. Counts only if the source is `decided` afterwards; then tell `committed`. */
  next(pos: number): Step {
    this.pos = pos
    const { source, region } = this
    if (region?.kind === 'fence') {
      const closed = this.closeFence(region)
      if (closed) return closed
    } else if (!region && this.lineStart && this.inlineEnd < source.base + pos) {
      const line = this.line(source.skipBlanks(pos))
      if (line) return line
    }
    const trigger = region?.kind === 'frame' || region?.kind === 'markup' ? this.frameTrigger : this.trigger
    trigger.lastIndex = pos
    const at = trigger.exec(source.text)?.index ?? source.text.length
    if (at > pos) return this.plain(at)
    const unit = source.at(pos)
    if (unit === Char.LINE_FEED) return this.plain(pos + 1)
    const mark = region ? this.markIn(region) : this.mark(unit)
    return mark ?? this.attempt(pos) ?? this.plain(pos + 1)
  }

  /** What may end the region, or the turn inside of it. */
  private markIn(region: Region): Step | null {
    if (region.kind !== 'fence') return this.closeRegion(region)
    // A fence that carried calls and is never closed ends with the turn.
    return this.sawCall && this.lineStart && this.carries(region.fence) ? this.turnEnd() : null
  }

  /** What may open a region, or end the turn, at a character in the open. */
  private mark(unit: number): Step | null {
    const { source, pos } = this
    const inline = this.inlineEnd > source.base + pos
    if (unit === Char.BACKTICK) return inline ? null : this.inlineCode()
    const closer = this.loneCloser()
    if (closer || inline) return closer
    const analysis =
      (unit === Char.LESS ? readAnalysis(source, pos) : null) ?? (this.exhausted ? null : readInlineTokens(source, pos))
    if (analysis) return this.openReasoning(analysis)
    const markup =
      unit === Char.LESS && !this.exhausted ? readMarkupOpener(source, pos, this.lineStart, this.callEnds()) : null
    if (!markup) return this.turnEnd()
    return { kind: 'text', end: markup.end, commit: () => (this.region = markup.region) }
  }

  /** Looks that came to nothing may cost four times the text; after that the text is taken as it is. */
  private get exhausted(): boolean {
    return this.repeated > 4 * (this.source.base + this.pos) + 65_536
  }

  /** Tells where a whole call of the active strategy that begins at a place ends; looks that fail are paid for. */
  private callEnds(): (at: number) => number | null {
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

  private turnEnd(): Step | null {
    const end = readTurnEnd(this.source, this.pos, this.lineStart)
    return end === null ? null : { kind: 'text', end, commit: () => (this.over = true) }
  }

  private openReasoning(mark: ReasoningMark): Step {
    const commit = () => {
      this.region = new ReasoningRegion(mark)
      this.sawReasoning = true
    }
    return { kind: 'reasoning', end: mark.end, commit }
  }

  private carries(fence: FenceOpener): boolean {
    return this.options.dialects.some((dialect) => dialect.fences.includes(fence.language))
  }

  private plain(end: number): Step {
    return { kind: this.region?.kind === 'reasoning' ? 'reasoning' : 'text', end }
  }

  /** What only begins at the start of a line; `first` is its first character that is no blank. */
  private line(first: number): Step | null {
    const { source, pos } = this
    const unit = source.at(first)
    if (unit === Char.BACKTICK || unit === Char.TILDE) {
      const fence = readFenceOpener(source, pos)
      return fence ? this.openFence(fence) : null
    }
    if (unit === Char.GREATER) return this.blockquote()
    const reasoning = readReasoningOpener(source, first)
    if (reasoning) return this.openReasoning(reasoning)
    const atMargin = pos === 0 ? source.base === 0 : source.text.charCodeAt(pos - 1) === Char.LINE_FEED
    const diff = atMargin && !this.quotation ? readDiff(source, pos) : null
    if (diff) return this.quoted(diff)
    const speaker = readSpeaker(source, first)
    if (speaker !== null) return { kind: 'text', end: speaker, commit: () => (this.over = true) }
    const frame = this.options.frames.readOpener(source, first, this.sawCall)
    if (frame)
      return {
        kind: 'text',
        end: frame.end,
        commit: () => {
          this.region = frame.region
          if (this.sawCall) this.invented = true
        },
      }
    const observed = this.sawCall ? readInvented(source, first) : null
    if (observed !== null) return { kind: 'text', end: observed, commit: () => (this.invented = true) }
    return unit >= 0 && this.atLineStart(first).length > 0 ? this.attempt(first, true) : null
  }

  private context(dialect: Dialect): ReadContext {
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

  private atLineStart(at: number): readonly Dialect[] {
    const place = this.region?.kind === 'fence' || !this.saidWords ? 'beginning' : 'prose'
    return this.asked.atLineStart(this.source.text, at, place)
  }

  /** Asks the dialects whether a call begins at `at`; null when none does. Text from the position to `at` goes with it. */
  private attempt(at: number, atLine = false): Step | null {
    const { source } = this
    if (this.exhausted) return null
    let skipTo = at
    // What an object began in a span of code may say, the span's end says better.
    const most = this.inlineEnd > source.base + at ? this.inlineEnd - source.base : Infinity
    const asked = atLine ? this.atLineStart(at) : this.asked.at(source.text, at)
    for (const dialect of asked) {
      if (this.through.silences(dialect, at)) continue
      source.certain = null
      const context = this.context(dialect)
      const outcome = dialect.read(source, at, context)
      if (!source.decided) return this.plain(at + 1)
      if (!outcome) continue
      if (outcome.kind === 'skip') {
        if (this.through.mayPass(outcome, dialect, at)) skipTo = Math.max(skipTo, Math.min(most, outcome.end))
      } else {
        const step = this.judge(outcome, dialect, at, context)
        if (step) return step
      }
    }
    return skipTo > at ? this.plain(skipTo) : null
  }

  /** Whether what a dialect read counts here, and with what standing. */
  private judge(
    outcome: Exclude<Outcome, { kind: 'skip' }>,
    dialect: Dialect,
    at: number,
    context: ReadContext,
  ): Step | null {
    const { source, pos } = this
    if (outcome.kind === 'result') {
      const inOpen = this.region === null && this.inlineEnd <= source.base + at
      const invented = this.sawCall || (outcome.open && inOpen)
      const { region } = this
      const commit = () => {
        this.invented ||= invented
        if (outcome.open && region?.kind === 'fence') region.answered = true
      }
      const { end } = outcome
      // One that breaks off may have taken the beginning of a call along, in a comment or a text: that has its card, too.
      const passes = !outcome.open || this.through.mayPass({ kind: 'skip', end }, dialect, at)
      return { ...this.plain(passes ? end : at + 1), commit }
    }
    if (outcome.parts.length === 0) return null
    const own = dialect === this.options.dialects[0]
    const inline = this.inlineEnd > source.base + at
    // A span of code holds a whole call or none; a call that goes on behind it was not in the span.
    const inSpan = inline
      ? source.base + outcome.end <= this.inlineEnd
      : this.region === null && isSpanOfCode(source, at, outcome.end)
    if (!source.decided) return this.plain(at + 1)
    const quoted = context.quoted || inSpan
    const foreign = !own || outcome.parts.some((part) => part.kind === 'call' && part.foreignAs !== undefined)
    const closer = this.closerInBroken(outcome.parts, dialect)
    if (closer !== null) return this.allReasoning(closer)
    const whole = outcome.parts.every((part) => part.kind === 'call' || (foreign && !quoted && isRefused(part)))
    if ((quoted || foreign || inline) && !whole) return null
    const parts: Part[] = at > pos ? [{ kind: 'text', start: pos, end: at }, ...outcome.parts] : [...outcome.parts]
    return {
      kind: 'parts',
      end: outcome.end,
      parts,
      standing: quoted ? 'quoted' : foreign ? 'foreign' : 'live',
      dialect: dialect.id,
      envelope: outcome.envelope ?? false,
      commit: () => {
        if (this.region?.kind === 'fence' && context.carrier) this.region.afterCall = true
        if (!own && endsTurn(source, outcome.end)) this.over = true
      },
    }
  }

  /** Whether a call that was never closed reaches over what answered it: a result, or somebody else's turn. */
  private ranOn(part: Part): boolean {
    return (
      part.kind === 'broken' &&
      (part.breakage.reason === 'truncated' || part.breakage.reason === 'missing-end') &&
      this.options.frames.holdsAnswer(this.source.text.slice(part.start, part.end))
    )
  }

  /** A text that never closes does not protect a lone closer in it. */
  private closerInBroken(parts: readonly Part[], dialect: Dialect): number | null {
    if (this.sawReasoning || this.quotation || this.region) return null
    const cut = parts.find(
      (part) =>
        part.kind === 'broken' && (part.breakage.reason === 'truncated' || part.breakage.reason === 'missing-end'),
    )
    return cut ? loneCloserIn(this.source, cut.start, cut.end, dialect) : null
  }

  /** A fence whose content begins with a call belongs to the call, with its lines. */
  private openFence(fence: FenceOpener): Step {
    const { source, pos } = this
    const region = fenceRegion(fence)
    this.region = region
    const carrier = this.carries(fence)
    const comments = carrier && this.options.dialects[0]?.fenceComments === true
    const first = comments ? skipCommentLines(source, fence.content) : source.skipSpace(fence.content)
    const begins = carrier && first < source.text.length
    let step = begins ? this.attempt(first) : null
    // What one form takes for a quotation may be another one's call.
    if (begins && source.decided && (!step || step.standing === 'quoted')) step = this.attempt(first, true) ?? step
    const dialect = this.options.dialects.find((one) => one.id === step?.dialect)
    this.region = null
    if (!source.decided || !step?.parts || step.standing === 'quoted' || !dialect?.fences.includes(fence.language))
      return { kind: 'text', end: fence.content, commit: () => (this.region = region) }
    // The text that `attempt` puts before the call is the fence's line; other texts are the reply's own words.
    const parts = step.parts.filter((part) => part.kind !== 'text' || part.start >= first)
    const head = parts[0]
    if (head) parts[0] = { ...head, start: pos }
    const behind = comments ? skipCommentLines(source, step.end) : source.skipSpace(step.end)
    const closer = readFenceCloser(source, behind, fence)
    const end = closer ?? step.end
    const tail = parts.at(-1)
    if (tail) parts[parts.length - 1] = { ...tail, end }
    if (source.skipSpace(fence.content) < first) noteComment(parts, 0)
    if (closer !== null && source.skipSpace(step.end) < behind) noteComment(parts, parts.length - 1)
    return {
      ...step,
      parts,
      end,
      commit: () => {
        if (closer === null) this.region = fenceRegion(fence, true)
      },
    }
  }

  private closeFence(region: Extract<Region, { kind: 'fence' }>): Step | null {
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

  private closeRegion(region: Exclude<Region, { kind: 'fence' }>): Step | null {
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

  private loneCloser(): Step | null {
    if (this.sawReasoning || this.quotation) return null
    const end = readLoneCloser(this.source, this.pos, this.lineStart)
    return end === null ? null : this.allReasoning(end)
  }

  /** All up to `end` was reasoning. */
  private allReasoning(end: number): Step {
    const commit = () => {
      this.sawReasoning = true
      this.saidWords = false
      this.sawCall = false
      this.invented = false
      this.over = false
    }
    return { kind: 'reasoning', end, allReasoning: true, commit }
  }

  private inlineCode(): Step {
    const { source, pos } = this
    const end = inlineCodeEnd(source, pos)
    if (end === null) return this.plain(runEnd(source, pos))
    if (!/[<{[]/.test(source.text.slice(pos, end))) return this.plain(end)
    const inlineEnd = source.base + end
    return { ...this.plain(runEnd(source, pos)), commit: () => (this.inlineEnd = inlineEnd) }
  }

  /** Lines that quote somebody: calls in them are read without their marks, and are quotations. */
  private blockquote(): Step | null {
    const { source, pos } = this
    const plain = readPlainQuote(source, pos, this.quotedFence)
    if (plain !== null) return { ...this.plain(plain.end), commit: this.keepsFence(plain.fence, plain.end) }
    const quotation = readBlockquote(source, pos)
    if (!quotation) return null
    // Looks behind quotations may cost the text once more.
    const looks = !this.quotation && this.lookedBehind <= source.base + pos + 32_768
    const step = this.quoted(quotation, looks ? withLostMarks(source, quotation) : null)
    const fence = openFenceBehind(source, quotation, step.end, this.quotedFence)
    const commit = () => {
      step.commit?.()
      this.quotedFence = null
      if (fence) this.region = fenceRegion(fence)
    }
    return { ...step, commit }
  }

  /** Keeps the fence that is open behind a line of a quotation: its lines below, or those that lost their marks, are in it. */
  private keepsFence(fence: FenceOpener | null, lineEnd: number): () => void {
    const on = fence === null ? 'ends' : goesOn(this.source, lineEnd)
    return () => {
      this.quotedFence = on === 'quoted' ? fence : null
      if (fence && on === 'unmarked') this.region = fenceRegion(fence)
    }
  }

  private quoted(quotation: Quotation, longer: Quotation | null = null): Step {
    if (!this.source.decided) return this.plain(quotation.end)
    const commit = () => {
      if (longer) this.lookedBehind += longer.end - quotation.end
    }
    return {
      kind: 'parts',
      standing: 'quoted',
      commit,
      ...quoteLines(this.pos, quotation, longer, this.readQuotation),
    }
  }
}
