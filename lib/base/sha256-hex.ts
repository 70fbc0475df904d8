/** SHA-256 as 64 hex digits. Needs a secure context in a browser (HTTPS or localhost); rejects without one. */
export const sha256Hex = (text: string): Promise<string> => sha256HexOfBytes(new TextEncoder().encode(text))

/** SHA-256 of bytes, as `sha256Hex`. */
export async function sha256HexOfBytes(bytes: Uint8Array): Promise<string> {
  // Copied, because `digest` refuses shared memory.
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(bytes))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
