import type { ToolIndex } from '../arguments/tool-index'
import type { Breakage, Dialect, Outcome, Part, ReadContext } from '../dialect'
import type { ParsedReply, Standing } from '../segment'
import type { PreviewSegment, ReplyScanner } from '../tool-context-def'
import { readBlockquote } from './blockquote'
import { appendDraft, asReasoning, previewOf } from './draft'
import type { Draft } from './draft'
import { isLineStart, readFenceCloser, readFenceOpener, runEnd } from './fences'
import type { FenceOpener } from './fences'
import { finishReply } from './finish-reply'
import { Hold } from './hold'
import { inlineCodeEnd } from './inline-code'
import { readFrameOpener, readReasoningTag } from './regions'
import type { Region } from './regions'
import { Source } from './source'

export interface ScannerOptions {
  /** The active strategy's dialect first; calls of the others are foreign. */
  readonly dialects: readonly Dialect[]
  readonly tools: ToolIndex
  readonly explain: (breakage: Breakage, around: string) => string
}

/** One decision: what `[pos, end)` is, and how the state changes once it is certain. */
interface Step {
  readonly end: number
  readonly kind: 'text' | 'reasoning' | 'parts' | 'extend'
  readonly parts?: readonly Part[]
  readonly standing?: Standing
  readonly dialect?: string
  readonly envelope?: boolean
  readonly then?: () => void
}

/** Text before the position that stays in the window, so that a reader can look back to the start of its line. */
const LOOK_BACK = 128
/** Chunks are gathered up to this length before they are read. */
const MIN_READ = 256
/** An undecided piece of this length is more likely data than a call: it is shown. */
const MAX_HIDDEN = 1000

/**
 * The reader of a reply, fed piece by piece. It decides step by step what the text at its position is; a step that
 * looked past the end of what is there is dropped and taken again when there is more, so that the result never depends
 * on how the text was cut.
 */
export class Scanner implements ReplyScanner {
  private readonly options: ScannerOptions
  private readonly source = new Source('', false)
  private readonly trigger: RegExp
  private readonly quotation: boolean
  private drafts: Draft[] = []
  private shown: PreviewSegment[] = []
  private pieces: string[] = []
  private waiting: string[] = []
  private waitingLength = 0
  private total = 0
  private pos = 0
  private hold: Hold | null = null
  private region: Region | null = null
  /** Only blanks since the last line end. */
  private lineStart = true
  private inlineEnd = -1
  private sawReasoning = false
  private sawCall = false
  /** A result was invented after a call: what follows answers to something that never happened. */
  private invented = false
  /** Characters that were looked at more than once. */
  private repeated = 0
  private groups = 0

  constructor(options: ScannerOptions, quotation = false) {
    this.options = options
    this.quotation = quotation
    const chars = [...new Set(options.dialects.flatMap((dialect) => [...dialect.triggers]))].filter(
      (char) => !'<{[`'.includes(char),
    )
    this.trigger = new RegExp(`[\\n<{\\[\`V${chars.join('')}]`, 'g')
  }

  push(chunk: string): void {
    if (chunk === '') return
    this.waiting.push(chunk)
    this.waitingLength += chunk.length
    this.total += chunk.length
    this.hold?.note(chunk)
    // Small pieces are read together, or when somebody looks.
    if (this.waitingLength >= MIN_READ) this.poll()
  }

  private poll(): void {
    if (this.waitingLength > 0 && (!this.hold || this.hold.wakes())) this.advance(false)
  }

  end(): ParsedReply {
    this.advance(true)
    const text = this.pieces.length === 1 ? (this.pieces[0] ?? '') : this.pieces.join('')
    return finishReply(this.drafts, (start, end) => isBlank(text, start, end), this.options.explain)
  }

  /** The committed pieces; for readers that embed this one. */
  finish(): readonly Draft[] {
    this.advance(true)
    return this.drafts
  }

  preview(): readonly PreviewSegment[] {
    this.poll()
    const shown = this.shownDrafts()
    const start = this.source.base + this.pos
    if (start >= this.total) return shown
    const certain = this.hold?.certain
    if (certain) shown.push({ kind: 'writing', start, end: this.total, name: certain.name })
    else if (this.total - start > MAX_HIDDEN) {
      const kind = this.region?.kind === 'reasoning' ? 'reasoning' : 'text'
      const last = shown.at(-1)
      if (last?.kind === kind) shown[shown.length - 1] = { kind, start: last.start, end: this.total }
      else shown.push({ kind, start, end: this.total })
    }
    return shown
  }

  /** Previews of the drafts; only the last draft can have changed since. */
  private shownDrafts(): PreviewSegment[] {
    const { shown, drafts } = this
    shown.length = Math.max(0, Math.min(shown.length, drafts.length) - 1)
    for (let i = shown.length; i < drafts.length; i++) {
      const draft = drafts[i]
      if (draft) shown.push(previewOf(draft))
    }
    return shown.slice()
  }

  private advance(final: boolean): void {
    const { source } = this
    if (this.waiting.length > 0) {
      const added = this.waiting.length === 1 ? (this.waiting[0] ?? '') : this.waiting.join('')
      this.pieces.push(added)
      source.text = source.text === '' ? added : source.text + added
      this.waiting = []
      this.waitingLength = 0
    }
    source.final = final
    const before = this.hold
    this.hold = null
    while (this.pos < source.text.length) {
      source.starved = false
      source.certain = null
      source.reach = this.pos
      const step = this.step()
      if (!source.decided) {
        this.hold = Hold.of(source, this.pos, before)
        break
      }
      this.commit(step)
    }
    const cut = this.pos - LOOK_BACK
    if (cut > 0) {
      source.text = source.text.slice(cut)
      source.base += cut
      this.pos -= cut
    }
  }

  private commit(step: Step): void {
    const { source } = this
    if (source.reach - step.end > 256) this.repeated += source.reach - step.end
    const { base } = source
    const last = this.drafts.at(-1)
    if (step.kind === 'extend' && last) last.end = base + step.end
    else if (step.parts) this.commitParts(step, step.parts)
    else {
      const kind = step.kind === 'reasoning' ? 'reasoning' : 'text'
      appendDraft(this.drafts, { kind, start: base + this.pos, end: base + step.end })
    }
    this.lineStart = blankTail(source.text, this.pos, step.end, this.lineStart)
    this.pos = step.end
    step.then?.()
  }

  private commitParts(step: Step, parts: readonly Part[]): void {
    const { base, text } = this.source
    const group = this.groups++
    const plain = this.region?.kind === 'reasoning' ? 'reasoning' : 'text'
    for (const part of parts) {
      const start = base + part.start
      const end = base + part.end
      if (part.kind === 'text') appendDraft(this.drafts, { kind: plain, start, end })
      else if (part.kind === 'broken') {
        const at = part.breakage.at ?? part.end
        const around = text.slice(Math.max(part.start, at - 20), Math.min(step.end, at + 20))
        appendDraft(this.drafts, { kind: 'broken', start, end, breakage: { ...part.breakage, at: base + at }, around })
      } else {
        const foreign = part.foreignAs !== undefined && step.standing !== 'quoted'
        const standing = foreign ? 'foreign' : (step.standing ?? 'live')
        if (standing !== 'quoted') this.sawCall = true
        appendDraft(this.drafts, {
          kind: 'call',
          start,
          end,
          call: part.call,
          standing,
          dialect: part.foreignAs ?? step.dialect ?? '',
          group,
          envelope: step.envelope ?? false,
        })
      }
    }
  }

  private step(): Step {
    const { source, pos, region } = this
    if (region?.kind === 'fence') {
      const closed = this.closeFence(region)
      if (closed) return closed
    } else if (!region && this.lineStart && this.inlineEnd < source.base + pos) {
      const line = this.line(source.skipBlanks(pos))
      if (line) return line
    }
    this.trigger.lastIndex = pos
    const at = this.trigger.exec(source.text)?.index ?? source.text.length
    if (at > pos) return this.plain(at)
    const unit = source.at(pos)
    if (unit === 0x0a) return this.plain(pos + 1)
    if (region && region.kind !== 'fence') {
      const closed = this.closeRegion(region)
      if (closed) return closed
    } else if (!region) {
      if (unit === 0x60 && this.inlineEnd <= source.base + pos) return this.inlineCode()
      if (unit === 0x3c) {
        const closer = this.loneCloser()
        if (closer) return closer
      }
    }
    return this.attempt(pos) ?? this.plain(pos + 1)
  }

  private plain(end: number): Step {
    return { kind: this.region?.kind === 'reasoning' ? 'reasoning' : 'text', end }
  }

  /** What only begins at the start of a line; `first` is its first character that is no blank. */
  private line(first: number): Step | null {
    const { source, pos } = this
    const unit = source.at(first)
    if (unit === 0x60 || unit === 0x7e) {
      const fence = readFenceOpener(source, pos)
      return fence ? this.openFence(fence) : null
    }
    if (unit === 0x3e) return this.blockquote()
    if (unit === 0x3c) {
      const tag = readReasoningTag(source, first, false)
      if (tag)
        return {
          kind: 'reasoning',
          end: tag.end,
          then: () => {
            this.region = { kind: 'reasoning', name: tag.name }
            this.sawReasoning = true
          },
        }
    }
    const frame = readFrameOpener(source, first, this.sawCall)
    if (frame)
      return {
        kind: 'text',
        end: frame.end,
        then: () => {
          this.region = frame.region
          if (this.sawCall) this.invented = true
        },
      }
    if (this.sawCall && (unit === 0x4f || unit === 0x6f) && source.has(first, 'observation', true)) {
      const colon = source.at(source.skipBlanks(first + 11))
      if (colon === 0x3a || colon === 0xff1a)
        return { kind: 'text', end: first + 12, then: () => (this.invented = true) }
    }
    const letter = unit < 0 ? '' : String.fromCharCode(unit)
    if (letter !== '' && this.options.dialects.some((dialect) => dialect.lineTriggers?.includes(letter))) {
      const step = this.attempt(first, true)
      if (step) return step
    }
    return null
  }

  private context(dialect: Dialect): ReadContext {
    const { region, source } = this
    const fence = region?.kind === 'fence' ? region.fence : null
    const carrier = fence !== null && dialect.fences.includes(fence.language)
    return {
      tools: this.options.tools,
      carrier,
      quoted: this.quotation || this.invented || (region !== null && !carrier),
      isFenceEnd: (i) => fence !== null && isLineStart(source, i) && readFenceCloser(source, i, fence) !== null,
    }
  }

  /** Asks the dialects whether a call begins at `at`; null when none does. Text from the position to `at` goes with it. */
  private attempt(at: number, atLine = false): Step | null {
    const { source } = this
    // Looks that came to nothing may cost four times the text; after that the text is taken as it is.
    if (this.repeated > 4 * (source.base + at) + 65_536) return null
    const letter = source.text[at] ?? ''
    let skipTo = at
    for (const dialect of this.options.dialects) {
      if (!(atLine ? dialect.lineTriggers?.includes(letter) : dialect.triggers.includes(letter))) continue
      source.certain = null
      const context = this.context(dialect)
      const outcome = dialect.read(source, at, context)
      if (!source.decided) return this.plain(at + 1)
      if (!outcome) continue
      if (outcome.kind === 'skip') skipTo = Math.max(skipTo, outcome.end)
      else {
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
      const { sawCall } = this
      return { ...this.plain(outcome.end), then: () => (this.invented ||= sawCall) }
    }
    if (outcome.parts.length === 0) return null
    const own = dialect === this.options.dialects[0]
    const inline = this.inlineEnd > source.base + at
    // A span of code holds a whole call or none; a call that goes on behind it was not in the span.
    const quoted = context.quoted || (inline && source.base + outcome.end <= this.inlineEnd)
    const foreign = !own || outcome.parts.some((part) => part.kind === 'call' && part.foreignAs !== undefined)
    if ((quoted || foreign || inline) && !outcome.parts.every((part) => part.kind === 'call')) return null
    const parts: Part[] = at > pos ? [{ kind: 'text', start: pos, end: at }, ...outcome.parts] : [...outcome.parts]
    return {
      kind: 'parts',
      end: outcome.end,
      parts,
      standing: quoted ? 'quoted' : foreign ? 'foreign' : 'live',
      dialect: dialect.id,
      envelope: outcome.envelope ?? false,
      then: () => {
        if (this.region?.kind === 'fence' && context.carrier) this.region.afterCall = true
      },
    }
  }

  /** A fence whose content begins with a call belongs to the call, with its lines. */
  private openFence(fence: FenceOpener): Step {
    const { source, pos } = this
    const region: Region = { kind: 'fence', fence, afterCall: false }
    this.region = region
    const first = source.skipSpace(fence.content)
    const carrier = this.options.dialects.some((dialect) => dialect.fences.includes(fence.language))
    const letter = source.text[first] ?? ''
    const atLine = this.options.dialects.some((dialect) => dialect.lineTriggers?.includes(letter))
    const step =
      carrier && first < source.text.length
        ? (this.attempt(first) ?? (atLine ? this.attempt(first, true) : null))
        : null
    const dialect = this.options.dialects.find((one) => one.id === step?.dialect)
    this.region = null
    if (!source.decided || !step?.parts || step.standing === 'quoted' || !dialect?.fences.includes(fence.language))
      return { kind: 'text', end: fence.content, then: () => (this.region = region) }
    const parts = step.parts.filter((part) => part.kind !== 'text')
    const head = parts[0]
    if (head) parts[0] = { ...head, start: pos }
    const after = source.skipSpace(step.end)
    const closer = readFenceCloser(source, after, fence)
    const end = closer ?? step.end
    const tail = parts.at(-1)
    if (tail) parts[parts.length - 1] = { ...tail, end }
    return {
      ...step,
      parts,
      end,
      then: () => {
        if (closer === null) this.region = { kind: 'fence', fence, afterCall: true }
      },
    }
  }

  private closeFence(region: Extract<Region, { kind: 'fence' }>): Step | null {
    const { source, pos } = this
    const done = () => {
      this.region = null
    }
    if (region.afterCall) {
      const next = source.skipSpace(pos)
      const closer = readFenceCloser(source, next, region.fence)
      if (closer !== null) return { kind: 'extend', end: closer, then: done }
      if (source.decided) region.afterCall = false
    }
    if (!this.lineStart) return null
    const closer = readFenceCloser(source, pos, region.fence)
    return closer === null ? null : { kind: 'text', end: closer, then: done }
  }

  private closeRegion(region: Exclude<Region, { kind: 'fence' }>): Step | null {
    const { source, pos } = this
    const done = () => {
      this.region = null
    }
    if (region.kind === 'frame') {
      const end = region.closes(source, pos)
      return end === null ? null : { kind: 'text', end, then: done }
    }
    const closer = source.at(pos) === 0x3c ? readReasoningTag(source, pos, true) : null
    return closer?.name === region.name ? { kind: 'reasoning', end: closer.end, then: done } : null
  }

  private loneCloser(): Step | null {
    const { source, pos } = this
    if (this.sawReasoning || this.quotation) return null
    const closer = readReasoningTag(source, pos, true)
    if (!closer) return null
    if (!this.lineStart) {
      const before = source.text.charCodeAt(pos - 1)
      if (before !== 0x20 && before !== 0x09) return null
      const after = source.at(source.skipBlanks(closer.end))
      if (after >= 0 && after !== 0x0a && after !== 0x0d) return null
    }
    return {
      kind: 'reasoning',
      end: closer.end,
      then: () => {
        this.drafts = asReasoning(this.drafts)
        this.shown = []
        this.sawReasoning = true
        this.sawCall = false
        this.invented = false
      },
    }
  }

  private inlineCode(): Step {
    const { source, pos } = this
    const end = inlineCodeEnd(source, pos)
    if (end === null) return this.plain(runEnd(source, pos))
    if (!/[<{[]/.test(source.text.slice(pos, end))) return this.plain(end)
    const inlineEnd = source.base + end
    return { ...this.plain(runEnd(source, pos)), then: () => (this.inlineEnd = inlineEnd) }
  }

  /** Lines that quote somebody: calls in them are read without their marks, and are quotations. */
  private blockquote(): Step | null {
    const { source, pos } = this
    const lineEnd = source.text.indexOf('\n', pos)
    const line = source.text.slice(pos, lineEnd < 0 ? source.text.length : lineEnd)
    if (!/[<{[]/.test(line)) {
      if (lineEnd < 0) source.starved = true
      return this.plain(lineEnd < 0 ? source.text.length : lineEnd + 1)
    }
    const quotation = readBlockquote(source, pos)
    if (!quotation || !source.decided) return quotation ? this.plain(quotation.end) : null
    const inner = new Scanner(this.options, true)
    inner.push(quotation.text)
    const parts: Part[] = []
    let from = pos
    let dialect = ''
    for (const draft of inner.finish()) {
      if (draft.kind !== 'call') continue
      const start = Math.max(from, quotation.place(draft.start))
      const end = quotation.place(Math.max(0, draft.end - 1)) + 1
      if (start > from) parts.push({ kind: 'text', start: from, end: start })
      parts.push({ kind: 'call', start, end, call: draft.call })
      dialect = draft.dialect
      from = end
    }
    if (from < quotation.end) parts.push({ kind: 'text', start: from, end: quotation.end })
    return { kind: 'parts', end: quotation.end, parts, standing: 'quoted', dialect }
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === ''
}

/** Whether only blanks stand between the last line end before `end` and `end`. */
function blankTail(text: string, start: number, end: number, before: boolean): boolean {
  for (let i = end - 1; i >= start; i--) {
    const unit = text.charCodeAt(i)
    if (unit === 0x0a) return true
    if (unit !== 0x20 && unit !== 0x09) return false
  }
  return before
}
