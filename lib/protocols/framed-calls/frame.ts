import { isJsonObject, type JsonObject } from '@/lib/base/json'

/*
 * How a call that a provider sent beside the text is stored inside the text of a reply:
 *
 *   ␞tool_call {"id":"call_a1","name":"read_file"}
 *   {"path":"/a"}␞{"google":{"thoughtSignature":"…"}}
 *
 * ␞ is U+001E, the record separator (RFC 7464 frames JSON texts with it). Between the first line and the next U+001E
 * are the arguments as the provider streamed them. The rest of the closing line is the metadata that goes back to the
 * provider with the call; it may be empty. Under a strategy whose calls are in the text, a provider may still send
 * calls of its own: their frames begin with `␞beside_call`, and they are read as foreign calls. Only the server writes
 * frames: in everything that a provider sends, U+001E is replaced by U+241E, so no text of a model can open, close or
 * contain a frame.
 */

const mark = '\u001e'
const opener = `${mark}tool_call `
const besideOpener = `${mark}beside_call `
const markShown = '\u241e'

export const FRAME_MARK = mark
export const FRAME_OPENER = opener
/** Opens the frame of a call that a provider sent although the chat asks for calls in the text. */
export const BESIDE_OPENER = besideOpener

export type FrameOpener = typeof FRAME_OPENER | typeof BESIDE_OPENER

/**
 * Replaces marks so that no frame can begin or end in text from a provider or a user. Same length. Also used to show a
 * frame.
 */
export const withoutMarks = (text: string): string => (text.includes(mark) ? text.replaceAll(mark, markShown) : text)

export const openFrame = (id: string | null, name: string, begin: FrameOpener = FRAME_OPENER): string =>
  `${begin}${JSON.stringify(id === null ? { name } : { id, name })}\n`

export const closeFrame = (metadata: JsonObject | null = null): string =>
  `${mark}${metadata === null ? '' : JSON.stringify(metadata)}\n`

const FRAME = new RegExp(
  `(\\n?)${mark}(?:tool|beside)_call [^\\n${mark}]*\\n[^${mark}]*(?:${mark}(?:\\{[^\\n]*)?\\n?)?`,
  'g',
)

/** The head of a frame that is still being written. */
const HEAD_BEGUN = new RegExp(`${mark}[^\\n${mark}]*$`)

/** The text with each frame replaced by a code block of JSON, for replies whose calls are only shown. */
export function framesAsText(text: string): string {
  if (!text.includes(mark)) return text
  const words = text.replace(FRAME, (raw, before: string, at: number) => {
    const frame = splitFrame(raw.slice(before.length))
    if (frame === null) return raw
    // On one line, so that nothing in it can end the code block.
    const args = frame.argumentsText.trim().replaceAll('\n', ' ') || '{}'
    const call = `{"name":${JSON.stringify(frame.name)},"arguments":${args}}`
    return `${at === 0 ? '' : '\n\n'}\`\`\`json\n${call}\n\`\`\`\n`
  })
  return withoutMarks(words.replace(HEAD_BEGUN, ''))
}

export interface FramedCall {
  /** The provider's id of the call, if it gave one. */
  readonly id: string | null
  readonly name: string
  /** The arguments as the provider streamed them. */
  readonly argumentsText: string
  /** Offset of the arguments in the frame. */
  readonly argumentsStart: number
  /** False if the reply ended, or another frame began, before the call was complete. */
  readonly closed: boolean
  /** Metadata that the provider wants back with the call, by provider. */
  readonly metadata: Readonly<Record<string, JsonObject>> | null
}

/** Splits one whole frame into its parts; null if the text is not a frame. */
export function splitFrame(raw: string): FramedCall | null {
  const headEnd = raw.indexOf('\n')
  const begin = [FRAME_OPENER, BESIDE_OPENER].find((one) => raw.startsWith(one))
  if (begin === undefined || headEnd < 0) return null
  const head = parseObject(raw.slice(begin.length, headEnd))
  const name = head?.['name']
  if (head === null || typeof name !== 'string') return null
  const end = raw.indexOf(mark, headEnd)
  const id = head['id']
  return {
    id: typeof id === 'string' ? id : null,
    name,
    argumentsText: raw.slice(headEnd + 1, end < 0 ? raw.length : end),
    argumentsStart: headEnd + 1,
    closed: end >= 0,
    metadata: end < 0 ? null : metadataOf(parseObject(raw.slice(end + 1))),
  }
}

function metadataOf(value: JsonObject | null): FramedCall['metadata'] {
  if (value === null) return null
  const entries = Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

function parseObject(text: string): JsonObject | null {
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

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

  constructor(begin: FrameOpener = FRAME_OPENER) {
    this.opener = begin
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
