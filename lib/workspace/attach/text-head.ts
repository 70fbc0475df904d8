/** Enough bytes for the longest beginning, whatever its characters. */
const PEEKED_BYTES = 8_192

/**
 * The beginning of a text of UTF-8, at most `maxChars` and never half a character; null for what is no text: bytes that
 * are no UTF-8, or a NUL.
 */
export function textHead(data: Uint8Array, maxChars: number): string | null {
  // A character that the cut went through is left waiting, not wrong.
  const cut = data.byteLength > PEEKED_BYTES
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(0, PEEKED_BYTES), { stream: cut })
  } catch {
    return null
  }
  if (text.includes('\0')) return null
  const head = text.slice(0, maxChars)
  return head.isWellFormed() ? head : head.slice(0, -1)
}
