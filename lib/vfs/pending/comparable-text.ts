import { decodeText } from '@/lib/base/text-encoding'

/** Beyond it nobody reads a difference. */
const maxBytes = 400_000

/** A file's text for a comparison, with its byte order mark; null for what is none or too large. */
export function comparableText(data: Uint8Array): string | null {
  if (data.byteLength > maxBytes) return null
  const read = decodeText(data)
  if (read === null) return null
  return read.markBytes > 0 ? `\ufeff${read.text}` : read.text
}
