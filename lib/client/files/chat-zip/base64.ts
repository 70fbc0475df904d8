/** Whole groups of three bytes, and few enough to be arguments of one call. */
const PIECE = 3 * 8_192

export function bytesToBase64(data: Uint8Array): string {
  let text = ''
  for (let at = 0; at < data.length; at += PIECE) text += btoa(String.fromCharCode(...data.subarray(at, at + PIECE)))
  return text
}

/** Throws on what is no base64. */
export const base64ToBytes = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
