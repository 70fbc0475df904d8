import type { VfsResult } from '../vfs'

/** Beyond it nobody reads a difference. */
const maxBytes = 400_000

/** A file's text for a comparison; null for what is none or too large. */
export function comparableText(read: VfsResult<Uint8Array>): string | null {
  if (!read.ok || read.value.byteLength > maxBytes || read.value.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.value)
  } catch {
    return null
  }
}
