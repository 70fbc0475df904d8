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
 * A piece whose meaning needs more text. Reading it again at every chunk would be quadratic: it is read again when
 * something arrived that may end it and enough was written since to pay for the look, or when it has doubled.
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
  /** What arrived last; once the brackets are balanced, what came after them. */
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
    // The same piece as before: what watched it has seen all that came since.
    const same = before?.start === start && before.watched ? before.watch : null
    const watch = same ?? new JsonEndWatch()
    const hold = new Hold(start, text.length, before?.credit ?? TAIL, certain, watch)
    if (certain?.until !== undefined) {
      // What it waits for may have begun already.
      hold.tail = text.slice(-TAIL)
      return hold
    }
    if (!same) watch.push(text)
    if (watch.done) hold.tail = afterBrackets(text)
    return hold
  }

  /** Whether the watch is kept: not where brackets don't tell. */
  private get watched(): boolean {
    return this.certain?.until === undefined
  }

  /** Takes note of what arrived. */
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
    // A tag decides when it is whole, anything else at once.
    this.promising ||= rest.startsWith('<') ? rest.includes('>') || rest.length >= TAIL : rest !== ''
  }

  /** Whether another look is worth it; a look is paid for. */
  wakes(): boolean {
    if (!(this.promising && this.credit >= this.size) && this.size < 2 * this.sizeThen) return false
    this.credit = Math.max(0, this.credit - this.size)
    this.promising = false
    return true
  }
}

const afterBrackets = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1).slice(0, TAIL)

/** Text before the position that stays in the window, so that a reader can look back to the start of its line. */
const LOOK_BACK = 128
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
  private readonly steps: Steps
  private drafts: Draft[] = []
  private shown: PreviewSegment[] = []
  /** How many of those shown stand for drafts. */
  private shownDrafts = 0
  /** All that was read. */
  private text = ''
  /** Looked at for what may end the hold, not read. */
  private waiting = ''
  /** Not looked at yet. */
  private fresh = ''
  private total = 0
  private pos = 0
  private hold: Hold | null = null
  private groups = 0

  /** `place`: what is read is a whole reply, continues behind another part of it, or is a quotation in it. */
  constructor(options: ScannerOptions, place: 'whole' | 'part' | 'quotation' = 'whole') {
    this.options = options
    this.steps = new Steps(options, this.source, place, (text, until) => {
      const inner = new Scanner(options, 'quotation')
      inner.push(text)
      return inner.finish(until)
    })
  }

  /** Only gathers: what was pushed is read when someone looks, or at the end. */
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

  /** The committed pieces of a text that stands for itself, after a look at what the text behind each call says of it. */
  settled(): readonly Draft[] {
    this.advance(true)
    const [own] = this.options.dialects
    const drafts = own ? settleDrafts(this.drafts, this.text, own) : this.drafts
    const asked = quoteOwnPrompt(drafts, this.text)
    return own ? doubtBeforeOuterEnd(asked, this.text, own, this.options.frames) : asked
  }

  /** The committed pieces of all that begins before `until`; for quotations, in which nothing is live. */
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

  /** Previews of the drafts: what was shown beyond them goes, and only the last of those known can have changed. */
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
