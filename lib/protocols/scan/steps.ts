import type { Dialect, Outcome, Part, ReadContext } from '../arguments/dialect'
import * as Char from '../text/source'
import {
  readFenceCloser,
  readFenceOpener,
  runEnd,
  skipCommentLines,
  inlineCodeEnd,
  isSpanOfCode,
  type FenceOpener,
} from './fences'
import { readMarkupOpener, fenceRegion, type Region } from './markup-regions'
import { isRefused, noteComment } from './json-tail'
import {
  type Quotation,
  quoteLines,
  readDiff,
  continues,
  openFenceBehind,
  readBlockquote,
  readPlainQuote,
  withLostMarks,
} from './quotation'
import { readAnalysis, readGluedAnalysis, readInlineTokens, readReasoningOpener } from './reasoning'
import { endsTurn, readInvented, readSpeaker } from './turn-end'
import { ScanState, type Step } from './scan-state'

/** Decides step by step what the text is, by checking what may begin at each position. */
export class Steps extends ScanState {
  /**
   * Decides what the text at `pos` is. The result counts only if the source is `decided` afterwards; then call
   * `committed`.
   */
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

  /** The end of the region, or of the turn inside it. */
  private markIn(region: Region): Step | null {
    if (region.kind !== 'fence') return this.closeRegion(region)
    // A fence that carried calls and is never closed ends with the turn.
    return this.sawCall && this.lineStart && this.carries(region.fence) ? this.turnEnd() : null
  }

  /** The opener of a region, or the end of the turn, at a character outside any region. */
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

  /** Anything that begins only at the start of a line; `first` is its first character that is not a blank. */
  private line(first: number): Step | null {
    const { source, pos } = this
    const unit = source.at(first)
    if (unit === Char.BACKTICK || unit === Char.TILDE) {
      const fence = readFenceOpener(source, pos)
      return fence ? this.openFence(fence) : null
    }
    if (unit === Char.GREATER) return this.blockquote()
    const glued = this.saidWords || this.quotation ? null : readGluedAnalysis(source, first)
    if (glued !== null) return this.allReasoning(glued)
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

  /** Tries the dialects for a call at `at`; null if there is none. Text from the position to `at` is included. */
  private attempt(at: number, atLine = false): Step | null {
    const { source } = this
    if (this.exhausted) return null
    let skipTo = at
    // The end of a code span is more reliable than an object that began in it.
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

  /** Whether the outcome of a dialect counts here, and with what placement. */
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
      // An incomplete one may include the beginning of a call, in a comment or a string: that gets a card, too.
      const passes = !outcome.open || this.through.mayPass({ kind: 'skip', end }, dialect, at)
      return { ...this.plain(passes ? end : at + 1), commit }
    }
    if (outcome.parts.length === 0) return null
    const own = dialect === this.options.dialects[0]
    const inline = this.inlineEnd > source.base + at
    // A code span contains a whole call or none; a call that continues after the span was not in it.
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

  /** A fence whose content begins with a call belongs to the call, including its opening and closing lines. */
  private openFence(fence: FenceOpener): Step {
    const { source, pos } = this
    const region = fenceRegion(fence)
    this.region = region
    const carrier = this.carries(fence)
    const comments = carrier && this.options.dialects[0]?.fenceComments === true
    const first = comments ? skipCommentLines(source, fence.content) : source.skipSpace(fence.content)
    const begins = carrier && first < source.text.length
    let step = begins ? this.attempt(first) : null
    // Text that one form reads as a quotation may be a call of another form.
    if (begins && source.decided && (!step || step.standing === 'quoted')) step = this.attempt(first, true) ?? step
    const dialect = this.options.dialects.find((one) => one.id === step?.dialect)
    this.region = null
    if (!source.decided || !step?.parts || step.standing === 'quoted' || !dialect?.fences.includes(fence.language))
      return { kind: 'text', end: fence.content, commit: () => (this.region = region) }
    // The text that `attempt` puts before the call is the fence's line; other text belongs to the reply.
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

  private inlineCode(): Step {
    const { source, pos } = this
    const end = inlineCodeEnd(source, pos)
    if (end === null) return this.plain(runEnd(source, pos))
    if (!/[<{[]/.test(source.text.slice(pos, end))) return this.plain(end)
    const inlineEnd = source.base + end
    return { ...this.plain(runEnd(source, pos)), commit: () => (this.inlineEnd = inlineEnd) }
  }

  /** Lines that quote someone: calls in them are read without the marks, and are quotations. */
  private blockquote(): Step | null {
    const { source, pos } = this
    const plain = readPlainQuote(source, pos, this.quotedFence)
    if (plain !== null) return { ...this.plain(plain.end), commit: this.keepsFence(plain.fence, plain.end) }
    const quotation = readBlockquote(source, pos)
    if (!quotation) return null
    // Reading ahead after quotations may cost the length of the text once more.
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

  /** Keeps the fence that is open after a line of a quotation: the lines below, with or without marks, are in it. */
  private keepsFence(fence: FenceOpener | null, lineEnd: number): () => void {
    const on = fence === null ? 'ends' : continues(this.source, lineEnd)
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
