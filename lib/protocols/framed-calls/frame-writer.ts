import type { JsonObject } from '@/lib/base/json'
import { closeFrame, FRAME_OPENER, openFrame, withoutMarks } from './frame'
import type { FrameOpener } from './frame'

interface PendingCall {
  readonly name: string
  input: string
  metadata: JsonObject | null
  complete: boolean
}

/**
 * Writes text and calls streamed by a provider as the single text of a reply. Each method returns the text to append
 * now. Only one frame is open at a time: text or another call that arrives meanwhile is queued.
 */
export class FrameWriter {
  /** Calls that are not completely written, oldest first; the first one's frame is open. */
  private readonly calls = new Map<string, PendingCall>()
  private words = ''
  private readonly opener: FrameOpener

  constructor(opener: FrameOpener = FRAME_OPENER) {
    this.opener = opener
  }

  text(delta: string): string {
    const text = withoutMarks(delta)
    if (this.calls.size === 0) return text
    this.words += text
    return ''
  }

  inputStart(id: string, name: string): string {
    if (this.calls.has(id)) return ''
    this.calls.set(id, { name: withoutMarks(name), input: '', metadata: null, complete: false })
    return this.calls.size === 1 ? openFrame(withoutMarks(id), withoutMarks(name), this.opener) : ''
  }

  inputDelta(id: string, delta: string): string {
    const call = this.calls.get(id)
    if (!call) return ''
    const text = withoutMarks(delta)
    call.input += text
    return this.isOpen(id) ? text : ''
  }

  /**
   * Adds the whole call; also for providers that do not stream inputs. Input that was streamed before takes precedence.
   */
  call(id: string, name: string, input: string, metadata: JsonObject | null): string {
    let text = this.inputStart(id, name)
    const call = this.calls.get(id)
    if (!call) return text
    const whole = withoutMarks(input)
    if (whole.startsWith(call.input)) text += this.inputDelta(id, whole.slice(call.input.length))
    call.metadata = metadata
    call.complete = true
    return text + this.flush()
  }

  /** Ends the stream: writes what is queued. A call that was never completed stays cut off. */
  end(): string {
    let text = this.flush()
    for (const id of this.calls.keys()) {
      const call = this.calls.get(id)
      if (!call) continue
      // The last frame is left open: this is how a reader detects that the call was cut off.
      if (this.calls.size === 1 && this.words === '') break
      call.complete = true
      text += this.flush()
    }
    return text
  }

  private isOpen(id: string): boolean {
    return this.calls.keys().next().value === id
  }

  /**
   * Closes complete frames from the first on, opens the next one, and releases the queued text when no frame is open.
   */
  private flush(): string {
    let text = ''
    for (const [id, call] of this.calls) {
      if (!call.complete) break
      text += closeFrame(call.metadata)
      this.calls.delete(id)
      const next = this.calls.entries().next().value
      if (next) text += openFrame(withoutMarks(next[0]), next[1].name, this.opener) + next[1].input
    }
    if (this.calls.size > 0) return text
    text += this.words
    this.words = ''
    return text
  }
}
