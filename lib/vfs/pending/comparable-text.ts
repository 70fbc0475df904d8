/** Beyond it nobody reads a difference. */
const maxBytes = 400_000

/** A file's text for a comparison; null for what is none or too large. */
export function comparableText(data: Uint8Array): string | null {
  if (data.byteLength > maxBytes || data.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    return null
  }
}
