import { decodeText } from '@/lib/base/text-encoding'
import { byteCount, readBytes, type FileBytes } from '../file-bytes'

/** Beyond it nobody reads a difference. */
const maxBytes = 400_000

/** A file's text for a comparison, with its byte order mark; null for what is none or too large. */
export async function comparableText(data: FileBytes): Promise<string | null> {
  if (byteCount(data) > maxBytes) return null
  const read = decodeText(await readBytes(data))
  if (read === null) return null
  return read.markBytes > 0 ? `\ufeff${read.text}` : read.text
}
