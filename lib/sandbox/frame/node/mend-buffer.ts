import { Buffer } from './zenfs'
import { customInspect } from './inspect'

/* What the package `buffer` does unlike Node's Buffer: no base64url, and it shows itself in another way. */

interface Bytes {
  toString(encoding?: string, start?: number, end?: number): string
  write(text: string, ...rest: unknown[]): number
}

const isUrl = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
let isMended = false

export function mendBuffer(): void {
  if (isMended) return
  isMended = true
  const from = Buffer.from.bind(Buffer) as (...values: unknown[]) => unknown
  const isEncoding = Buffer.isEncoding.bind(Buffer)
  const byteLength = Buffer.byteLength.bind(Buffer)
  const prototype = Buffer.prototype as unknown as Bytes & Record<PropertyKey, unknown>
  const toString = Reflect.get(prototype, 'toString')
  const write = Reflect.get(prototype, 'write')
  const plain = (encoding: unknown) => (isUrl(encoding) ? 'base64' : encoding)
  Object.assign(Buffer, {
    from: (value: unknown, encoding?: unknown, length?: unknown) =>
      from(value, typeof value === 'string' ? plain(encoding) : encoding, length),
    isEncoding: (encoding: unknown) => isUrl(encoding) || isEncoding(encoding as string),
    byteLength: (value: unknown, encoding?: unknown) =>
      isUrl(encoding) && typeof value === 'string'
        ? Math.floor((value.replace(/=+$/, '').length * 3) / 4)
        : byteLength(value as string, encoding as 'utf8'),
    poolSize: 8192,
  })
  prototype.toString = function (this: Bytes, encoding, start, end) {
    const text = toString.call(this, plain(encoding) as string, start, end)
    return isUrl(encoding) ? text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : text
  }
  prototype.write = function (this: Bytes, text, ...rest) {
    return write.call(this, text, ...rest.map(plain))
  }
  prototype[customInspect] = function (this: Uint8Array) {
    const hex = Array.from(this.subarray(0, 50), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const rest = this.byteLength - 50
    return `<Buffer ${hex}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''}>`
  }
}
