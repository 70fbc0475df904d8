import type { ImageMediaType } from '../conversation'

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && Array.from(text).every((char, index) => bytes[at + index] === char.charCodeAt(0))

/** The type of an image by its first bytes, whatever its name says; null for anything but PNG, JPEG, WebP and GIF. */
export function imageTypeOf(bytes: Uint8Array): ImageMediaType | null {
  if (startsWith(bytes, 0, '\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (startsWith(bytes, 0, '\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'image/webp'
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')) return 'image/gif'
  return null
}

/** The same for base64, of which only the beginning is decoded; null also for invalid base64. */
export function imageTypeOfBase64(data: string): ImageMediaType | null {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null
  const head = atob(data.slice(0, 32))
  return imageTypeOf(Uint8Array.from(head, (char) => char.charCodeAt(0)))
}
