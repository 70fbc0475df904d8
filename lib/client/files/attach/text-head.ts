import { decodeText, type TextEncodingName } from '@/lib/base/text/text-encoding'

/** Enough bytes for the longest beginning, whatever its characters. */
const PEEKED_BYTES = 8_192

export interface TextHead {
  readonly text: string
  readonly encoding: TextEncodingName
  /** How much of the file it is, its byte order mark included; all of the file where nothing is left out. */
  readonly bytes: number
}

/** The beginning of a text, at most `maxChars` and never half a character; null for what is no text. */
export function textHead(data: Uint8Array, maxChars: number): TextHead | null {
  const isCut = data.byteLength > PEEKED_BYTES
  const read = decodeText(data.subarray(0, PEEKED_BYTES), isCut)
  if (!read) return null
  const { text, encoding, markBytes } = read
  if (!isCut && text.length <= maxChars) return { text, encoding, bytes: data.byteLength }
  const cut = text.slice(0, maxChars)
  const head = cut.isWellFormed() ? cut : cut.slice(0, -1)
  return { text: head, encoding, bytes: markBytes + bytesIn(head, encoding) }
}

/** Of a text in a legacy encoding about: only UTF-8 can be written here, and such texts have one or two bytes a letter. */
function bytesIn(text: string, encoding: TextEncodingName): number {
  if (encoding === 'utf-8') return new TextEncoder().encode(text).byteLength
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return text.length * 2
  if (encoding === 'windows-1252') return text.length
  return Array.from(text).reduce((sum, letter) => sum + (letter > '\u007f' ? 2 : 1), 0)
}
