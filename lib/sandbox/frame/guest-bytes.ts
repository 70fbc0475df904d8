// Texts as bytes and back, in the encodings that Node's fs takes. No Buffer: bytes stay a Uint8Array that reads as text.

const utf8 = /^utf-?8$/i
const known = /^(?:utf-?8|base64|base64url|hex|latin1|binary|ascii)$/i

export const isEncoding = (name: string): boolean => known.test(name)

const fromUnits = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return text
}
const toUnits = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (unit) => unit.charCodeAt(0))

export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  const name = encoding.toLowerCase()
  if (utf8.test(name)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (name === 'hex') return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (name === 'base64') return btoa(fromUnits(bytes))
  if (name === 'base64url') return btoa(fromUnits(bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return fromUnits(name === 'ascii' ? bytes.map((byte) => byte & 0x7f) : bytes)
}

/** Like Node: what is no hex or base64 is left out, not an error. */
export function encodeText(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const name = encoding.toLowerCase()
  if (utf8.test(name)) return new TextEncoder().encode(text)
  if (name === 'hex') {
    const pairs = /^(?:[\da-f]{2})*/i.exec(text)?.[0] ?? ''
    return Uint8Array.from(pairs.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  }
  if (name.startsWith('base64')) {
    const plain = text
      .replaceAll('-', '+')
      .replaceAll('_', '/')
      .replace(/=[\s\S]*$/, '')
      .replace(/[^\w+/]/g, '')
    return toUnits(atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain))
  }
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0) & 0xff)
}

/** Bytes whose `toString` reads as text, as a Node Buffer's does. */
export function toReadable(bytes: Uint8Array): Uint8Array {
  const toString = (encoding = 'utf8') => decodeBytes(bytes, encoding)
  return Object.defineProperty(bytes, 'toString', { value: toString, enumerable: false })
}
