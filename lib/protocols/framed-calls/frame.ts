import { isJsonObject } from '@/lib/base/json'
import type { JsonObject } from '@/lib/base/json'

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
