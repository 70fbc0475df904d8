import type { TextEncodingName } from '@/lib/base/text/encoding-names'
import { decodeText, encodeText, type EncodedText } from '@/lib/base/text/text-encoding'

/** How a text was encoded, so that saving changes nothing but the text. */
export interface TextForm {
  readonly encoding: TextEncodingName
  /** Bytes of its byte order mark. */
  readonly markBytes: number
  /** The line separator. A file that mixes them is read with `\n`, and the other characters stay in the lines. */
  readonly lineEnd: '\n' | '\r\n' | '\r'
}

export interface TextFile {
  readonly text: string
  readonly form: TextForm
}

/**
 * `isCut`: the bytes are the beginning of a longer file. Bytes that are not text become replacement characters
 * (`kindOfFile` says which files are text).
 */
export function readText(data: Uint8Array, isCut = false): TextFile {
  const read = decodeText(data, isCut)
  const text = read?.text ?? new TextDecoder().decode(data)
  const form = {
    encoding: read?.encoding ?? 'utf-8',
    markBytes: read?.markBytes ?? 0,
    lineEnd: lineEndOf(text),
  } as const
  return { text, form }
}

/** In its original encoding, else in UTF-8. */
export const writeText = (text: string, form: TextForm): EncodedText => encodeText(text, form)

function lineEndOf(text: string): TextForm['lineEnd'] {
  const returns = text.split('\r').length - 1
  if (returns === 0) return '\n'
  const feeds = text.split('\n').length - 1
  if (feeds === 0) return '\r'
  const pairs = text.split('\r\n').length - 1
  return pairs === returns && pairs === feeds ? '\r\n' : '\n'
}

/** Returns the first bytes of a text, up to a line end if one is near, and never half a character. */
export function firstPart(data: Uint8Array, maxBytes: number): Uint8Array {
  if (data.byteLength <= maxBytes) return data
  const newline = data.lastIndexOf(0x0a, maxBytes - 1)
  if (newline > maxBytes / 2) return data.subarray(0, newline + 1)
  let end = maxBytes
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((data[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return data.subarray(0, end)
}
