import { appendDraft, previewOf, type Draft } from '../scan/draft'
import { finishReply } from '../scan/finish-reply'
import { Scanner } from '../scan/scanner'
import type { ScannerOptions } from '../scan/scan-state'
import type { CallPlacement, ParsedReply } from '../types/segment'
import type { PreviewSegment, ReplyScanner } from '../types/tool-context-def'
import { BESIDE_OPENER, FRAME_MARK, FRAME_OPENER, splitFrame, type FrameOpener } from '../framed-calls/frame'
import { readFrame } from './read'

/** After a mark (`mark`) it is not yet certain whether a frame opens. */
type State = 'text' | 'mark' | 'head' | 'arguments' | 'close'

/**
 * Reads a reply in which the server framed the provider's calls. Frames are extracted first, so that nothing in the
 * text (an open code fence, reasoning, half a call) can span or quote them; each range of text between two frames is
 * then read like any reply. Under Native the frames are the calls, and calls in the text are foreign. Under any other
 * strategy it is the other way round: a server may send calls of its own even if it was not asked to.
 */
export class NativeScanner implements ReplyScanner {
  private readonly options: ScannerOptions
  private readonly drafts: Draft[] = []
  private readonly shown: PreviewSegment[] = []
  /** How many of the shown segments are drafts. */
  private shownDrafts = 0
  private readonly pieces: string[] = []
  /** Text that was not read yet. */
  private fresh = ''
  private state: State = 'text'
  /** Text received since the state `text` was left, in pieces. */
  private held: string[] = []
  private heldLength = 0
  /** The name in the frame that is being written. */
  private name: string | null = null
  private inner: Scanner | null = null
  private innerStart = 0
  /** Where the text of the current state begins: the next character of a text range, or the mark. */
  private pos = 0
  /** How many groups of calls were read. */
  private groups = 0
  private readonly standing: CallPlacement
  private readonly opener: FrameOpener

  /** `standing`: the placement of calls in frames. They are `foreign` if the chat asks for calls in the text. */
  constructor(options: ScannerOptions, standing: Extract<CallPlacement, 'live' | 'foreign'>) {
    this.options = options
    this.standing = standing
    this.opener = standing === 'live' ? FRAME_OPENER : BESIDE_OPENER
  }

  /** Only collects: the text is read when a preview is requested, or at the end. */
  push(chunk: string): void {
    this.fresh += chunk
  }

  private poll(): void {
    const { fresh } = this
    if (fresh === '') return
    this.fresh = ''
    this.pieces.push(fresh)
    this.take(fresh)
  }

  preview(): readonly PreviewSegment[] {
    this.poll()
    const { shown, drafts } = this
    // Segments shown after the drafts are discarded, and only the last of the known ones can have changed.
    shown.length = Math.max(0, Math.min(shown.length, this.shownDrafts) - 1)
    for (let i = shown.length; i < drafts.length; i++) {
      const draft = drafts[i]
      if (draft) shown.push(previewOf(draft))
    }
    this.shownDrafts = drafts.length
    if (this.inner) {
      const { innerStart } = this
      for (const one of this.inner.preview())
        shown.push({ ...one, start: one.start + innerStart, end: one.end + innerStart })
    }
    if (this.heldLength > this.opener.length && (shown.at(-1)?.end ?? 0) === this.pos)
      shown.push({ kind: 'writing', start: this.pos, end: this.pos + this.heldLength, name: this.name })
    return shown
  }

  end(): ParsedReply {
    this.poll()
    if (this.state !== 'text') this.endFrame(this.held.join(''))
    this.endStretch()
    const text = this.pieces.join('')
    return finishReply(this.drafts, text, this.options.explain)
  }

  private take(chunk: string): void {
    let rest = chunk
    while (rest !== '') rest = this.state === 'text' ? this.takeText(rest) : this.takeFrame(rest)
  }

  private takeText(text: string): string {
    const at = text.indexOf(FRAME_MARK)
    this.addText(at < 0 ? text : text.slice(0, at))
    if (at < 0) return ''
    this.state = 'mark'
    return text.slice(at)
  }

  private addText(text: string): void {
    if (text === '') return
    if (!this.inner) {
      this.inner = new Scanner(this.options, this.pos === 0 ? 'whole' : 'part')
      this.innerStart = this.pos
    }
    this.inner.push(text)
    this.pos += text.length
  }

  private hold(text: string): void {
    this.held.push(text)
    this.heldLength += text.length
  }

  /** Continues with a possible frame; returns the text that was not read. */
  private takeFrame(text: string): string {
    switch (this.state) {
      case 'mark': {
        let same = 0
        while (same < text.length && text[same] === this.opener[this.heldLength + same]) same++
        this.hold(text.slice(0, same))
        if (this.heldLength === this.opener.length) this.state = 'head'
        // At least the mark itself was held, and it is text.
        else if (same < text.length) this.release('')
        return text.slice(same)
      }
      case 'head': {
        const at = text.indexOf('\n')
        const mark = text.indexOf(FRAME_MARK)
        // The head is one line of JSON and contains no mark.
        if (mark >= 0 && (at < 0 || mark < at)) return this.release(text)
        if (at < 0) {
          this.hold(text)
          return ''
        }
        this.hold(text.slice(0, at + 1))
        const frame = splitFrame(this.held.join(''))
        if (frame === null) return this.release(text.slice(at + 1))
        this.endStretch()
        this.name = frame.name
        this.state = 'arguments'
        return text.slice(at + 1)
      }
      case 'arguments': {
        const at = text.indexOf(FRAME_MARK)
        this.hold(at < 0 ? text : text.slice(0, at + 1))
        if (at < 0) return ''
        this.state = 'close'
        return text.slice(at + 1)
      }
      default:
        return this.takeClose(text)
    }
  }

  private takeClose(text: string): string {
    const last = this.held.at(-1) ?? ''
    if (last.endsWith(FRAME_MARK)) {
      if (text.startsWith('\n')) {
        this.hold('\n')
        this.endFrame(this.held.join(''))
        return text.slice(1)
      }
      if (!text.startsWith('{')) {
        const whole = this.held.join('')
        const reopens = text.startsWith(this.opener.charAt(1))
        this.endFrame(reopens ? whole.slice(0, -1) : whole)
        // Another frame opens where the closing line is expected: this one was never closed.
        if (reopens) {
          this.hold(FRAME_MARK)
          this.state = 'mark'
        }
        return text
      }
    }
    const at = text.indexOf('\n')
    this.hold(at < 0 ? text : text.slice(0, at + 1))
    if (at < 0) return ''
    this.endFrame(this.held.join(''))
    return text.slice(at + 1)
  }

  /** Returns the held characters to the text: they were not a frame. */
  private release(rest: string): string {
    const text = this.held.join('')
    this.held = []
    this.heldLength = 0
    this.state = 'text'
    this.addText(text)
    return rest
  }

  private endStretch(): void {
    const { inner, innerStart } = this
    if (!inner) return
    this.inner = null
    const before = this.groups
    for (const draft of inner.settled()) {
      const moved = { ...draft, start: draft.start + innerStart, end: draft.end + innerStart }
      if (moved.kind === 'call') {
        const group = before + moved.group
        this.groups = Math.max(this.groups, group + 1)
        appendDraft(this.drafts, { ...moved, group })
      } else if (moved.kind === 'broken' && moved.breakage.at !== undefined)
        appendDraft(this.drafts, { ...moved, breakage: { ...moved.breakage, at: moved.breakage.at + innerStart } })
      else appendDraft(this.drafts, moved)
    }
  }

  private endFrame(raw: string): void {
    const start = this.pos
    const end = start + raw.length
    const frame = splitFrame(raw)
    if (frame === null) {
      this.release('')
      return
    }
    this.endStretch()
    const read = readFrame(frame, this.options.tools)
    if (read.ok) {
      const call = { kind: 'call', start, end, call: read.call, standing: this.standing, dialect: 'Native' } as const
      this.drafts.push({ ...call, group: this.groups++, envelope: false })
    } else {
      const at = read.breakage.at ?? raw.length
      const around = raw.slice(Math.max(frame.argumentsStart, at - 20), at + 20)
      const breakage = { ...read.breakage, at: start + at }
      const dialect = this.standing === 'foreign' ? { dialect: 'Native' } : {}
      this.drafts.push({ kind: 'broken', start, end, breakage, around, ...dialect })
    }
    this.held = []
    this.heldLength = 0
    this.name = null
    this.pos = end
    this.state = 'text'
  }
}
