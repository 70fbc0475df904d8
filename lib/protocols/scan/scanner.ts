import type { Part } from '../arguments/dialect'
import type { ParsedReply } from '../types/segment'
import { Source, type Certainty } from '../text/source'
import type { PreviewSegment, ReplyScanner } from '../types/tool-context-def'
import { appendDraft, asReasoning, previewOf, type Draft } from './draft'
import { finishReply } from './finish-reply'
import { settleDrafts } from './leftover-text'
import { doubtBeforeOuterEnd } from './outer-end'
import { quoteOwnPrompt } from './fences'
import type { ScannerOptions, Step } from './scan-state'
import { Steps } from './steps'
import { JsonEndWatch } from './json-tail'

const TAIL = 64

/**
 * A piece whose meaning needs more text. Reading it again at every chunk would be quadratic. So it is read again when
 * something arrived that may end it and enough text was written since to pay for the read, or when it has doubled.
 */
class Hold {
  readonly certain: Certainty | null
  /** Where the piece begins in the whole text. */
  private readonly start: number
  private readonly watch: JsonEndWatch
  private readonly sizeThen: number
  private size: number
  private credit: number
  private promising = false
  /** The text that arrived last; once the brackets are balanced, the text after them. */
  private tail = ''

  private constructor(start: number, size: number, credit: number, certain: Certainty | null, watch: JsonEndWatch) {
    this.start = start
    this.watch = watch
    this.size = size
    this.sizeThen = size
    this.credit = credit
    this.certain = certain
  }

  static of(source: Source, pos: number, before: Hold | null): Hold {
    const { certain } = source
    const text = source.text.slice(pos)
    const start = source.base + pos
    // The same piece as before: its watch has seen all text since.
    const same = before?.start === start && before.watched ? before.watch : null
    const watch = same ?? new JsonEndWatch()
    const hold = new Hold(start, text.length, before?.credit ?? TAIL, certain, watch)
    if (certain?.until !== undefined) {
      // The awaited text may have begun already.
      hold.tail = text.slice(-TAIL)
      return hold
    }
    if (!same) watch.push(text)
    if (watch.done) hold.tail = afterBrackets(text)
    return hold
  }

  /** Whether to keep the watch: not if brackets are not significant. */
  private get watched(): boolean {
    return this.certain?.until === undefined
  }

  /** Records the text that arrived. */
  note(chunk: string): void {
    this.size += chunk.length
    this.credit += 4 * chunk.length
    const { certain } = this
    if (certain?.until !== undefined) {
      this.tail = (this.tail + chunk).slice(-TAIL)
      this.promising ||=
        certain.name === null || (chunk.includes('>') && this.tail.toUpperCase().includes(certain.until))
      return
    }
    const wasDone = this.watch.done
    this.watch.push(chunk)
    this.promising ||= certain === null || certain.name === null
    if (!this.watch.done) return
    if (this.tail.length < TAIL) this.tail += wasDone ? chunk : afterBrackets(chunk)
    const rest = this.tail.trimStart()
    // A tag is decisive when it is complete, anything else at once.
    this.promising ||= rest.startsWith('<') ? rest.includes('>') || rest.length >= TAIL : rest !== ''
  }

  /** Whether to read again; each read is paid for. */
  wakes(): boolean {
    if (!(this.promising && this.credit >= this.size) && this.size < 2 * this.sizeThen) return false
    this.credit = Math.max(0, this.credit - this.size)
    this.promising = false
    return true
  }
}

const afterBrackets = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1).slice(0, TAIL)

/**
 * Length of the text before the position that stays in the window, so that a reader can look back to the start of its
 * line.
 */
const LOOK_BACK = 128
/** An undecided piece of this length is more likely data than a call, so it is shown. */
const MAX_HIDDEN = 1000

/**
 * Reads a streamed reply. It decides step by step what the text at its position is. A step that read past the end of
 * the available text is dropped and repeated when there is more, so that the result never depends on how the text was
 * cut.
 */
export class Scanner implements ReplyScanner {
  private readonly options: ScannerOptions
  private readonly source = new Source('', false)
  private readonly steps: Steps
  private drafts: Draft[] = []
  private shown: PreviewSegment[] = []
  /** How many of the shown segments are drafts. */
  private shownDrafts = 0
  /** The text that was read. */
  private text = ''
  /** Text that was checked for the end of the hold, but not read. */
  private waiting = ''
  /** Text that was not checked yet. */
  private fresh = ''
  private total = 0
  private pos = 0
  private hold: Hold | null = null
  private groups = 0

  /** `place`: the text is a whole reply, the continuation of another part of it, or a quotation in it. */
  constructor(options: ScannerOptions, place: 'whole' | 'part' | 'quotation' = 'whole') {
    this.options = options
    this.steps = new Steps(options, this.source, place, (text, until) => {
      const inner = new Scanner(options, 'quotation')
      inner.push(text)
      return inner.finish(until)
    })
  }

  /** Only collects: the text is read when a preview is requested, or at the end. */
  push(chunk: string): void {
    this.fresh += chunk
    this.total += chunk.length
  }

  private poll(): void {
    const { fresh, hold } = this
    if (fresh === '') return
    this.fresh = ''
    this.waiting += fresh
    hold?.note(fresh)
    if (!hold || hold.wakes()) this.advance(false)
  }

  end(): ParsedReply {
    return finishReply(this.settled(), this.text, this.options.explain)
  }

  /** The committed drafts of an independent text, after checking each call against the text after it. */
  settled(): readonly Draft[] {
    this.advance(true)
    const [own] = this.options.dialects
    const drafts = own ? settleDrafts(this.drafts, this.text, own) : this.drafts
    const asked = quoteOwnPrompt(drafts, this.text)
    return own ? doubtBeforeOuterEnd(asked, this.text, own, this.options.frames) : asked
  }

  /** The committed drafts of everything that begins before `until`; for quotations, in which nothing is live. */
  finish(until: number): readonly Draft[] {
    this.advance(true, until)
    return this.drafts
  }

  preview(): readonly PreviewSegment[] {
    this.poll()
    this.updateShown()
    const { shown, total } = this
    const start = this.source.base + this.pos
    const certain = this.hold?.certain
    if (certain && start < total) shown.push({ kind: 'writing', start, end: total, name: certain.name })
    else if (total - start > MAX_HIDDEN) {
      const kind = this.steps.inReasoning ? 'reasoning' : 'text'
      const last = shown.at(-1)
      if (last?.kind === kind) shown[shown.length - 1] = { kind, start: last.start, end: total }
      else shown.push({ kind, start, end: total })
    }
    return shown
  }

  /**
   * Updates the previews: those after the drafts are discarded, and only the last of the known ones can have changed.
   */
  private updateShown(): void {
    const { shown, drafts } = this
    shown.length = Math.max(0, Math.min(shown.length, this.shownDrafts) - 1)
    for (let i = shown.length; i < drafts.length; i++) {
      const draft = drafts[i]
      if (draft) shown.push(previewOf(draft))
    }
    this.shownDrafts = drafts.length
  }

  private advance(final: boolean, until = Infinity): void {
    const { source } = this
    const added = this.waiting + this.fresh
    this.waiting = ''
    this.fresh = ''
    this.text += added
    source.text += added
    source.final = final
    const before = this.hold
    this.hold = null
    while (this.pos < source.text.length && source.base + this.pos < until) {
      source.starved = false
      source.certain = null
      source.reach = this.pos
      const step = this.steps.next(this.pos)
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
    const { base } = source
    const last = this.drafts.at(-1)
    if (step.kind === 'extend' && last) last.end = base + step.end
    else if (step.parts) this.commitParts(step, step.parts)
    else {
      const kind = step.kind === 'reasoning' ? 'reasoning' : 'text'
      appendDraft(this.drafts, { kind, start: base + this.pos, end: base + step.end })
    }
    if (step.allReasoning) {
      this.drafts = asReasoning(this.drafts)
      this.shown = []
    }
    this.steps.committed(step)
    this.pos = step.end
  }

  private commitParts(step: Step, parts: readonly Part[]): void {
    const { base, text } = this.source
    const group = this.groups++
    const plain = this.steps.inReasoning ? 'reasoning' : 'text'
    for (const part of parts) {
      const start = base + part.start
      const end = base + part.end
      if (part.kind === 'text') appendDraft(this.drafts, { kind: plain, start, end })
      else if (part.kind === 'broken') {
        const { at, ...breakage } = part.breakage
        const around = at === undefined ? '' : text.slice(Math.max(part.start, at - 20), Math.min(step.end, at + 20))
        const placed = at === undefined ? breakage : { ...breakage, at: base + at }
        const dialect = step.standing === 'foreign' ? { dialect: step.dialect ?? '' } : {}
        appendDraft(this.drafts, { kind: 'broken', start, end, breakage: placed, group, around, ...dialect })
      } else {
        const foreign = part.foreignAs !== undefined && step.standing !== 'quoted'
        const standing = foreign
          ? 'foreign'
          : part.quoted && step.standing !== 'foreign'
            ? 'quoted'
            : (step.standing ?? 'live')
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
}
