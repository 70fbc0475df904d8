import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { Buffer } from './zenfs'
import { nodeError } from './node-error'

/* The platform-independent part of `crypto`: hashes, HMACs and random bytes. No encryption or signing. */

const hashes = { md5, sha1, sha224, sha256, sha384, sha512 } as const
type Running = ReturnType<(typeof hashes)['sha256']['create']>

function hashNamed(name: unknown) {
  const plain = String(name).toLowerCase().replace('-', '')
  const found = Object.hasOwn(hashes, plain) ? hashes[plain as keyof typeof hashes] : undefined
  if (found === undefined)
    throw nodeError(
      'ERR_CRYPTO_INVALID_DIGEST',
      `Invalid digest: ${String(name)}. Here are ${Object.keys(hashes).join(', ')}.`,
    )
  return found
}

const bytesOf = (data: unknown, encoding?: unknown): Uint8Array =>
  typeof data === 'string'
    ? Buffer.from(data, (encoding ?? 'utf8') as 'utf8')
    : new Uint8Array((data as Uint8Array).buffer, (data as Uint8Array).byteOffset, (data as Uint8Array).byteLength)

class Digest {
  readonly #running: Running
  #isOver = false
  constructor(running: unknown) {
    this.#running = running as Running
  }
  update(data: unknown, encoding?: unknown): this {
    if (this.#isOver) throw nodeError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
    this.#running.update(bytesOf(data, encoding))
    return this
  }
  digest(encoding?: string): unknown {
    if (this.#isOver) throw nodeError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
    this.#isOver = true
    const bytes = Buffer.from(this.#running.digest())
    return encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding as 'hex')
  }
  copy(): Digest {
    return new Digest(this.#running.clone())
  }
}

function randomBytes(size: number, done?: (error: null, bytes: Uint8Array) => void): unknown {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)))
  if (done === undefined) return bytes
  queueMicrotask(() => done(null, bytes))
  return undefined
}

function randomInt(first: number, second?: number): number {
  const [from, to] = second === undefined ? [0, first] : [first, second]
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  // 53 random bits for a range that is far smaller.
  return from + (((high & 0x1f_ffff) * 2 ** 32 + low) % (to - from))
}

function randomUUID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.byteLength !== b.byteLength) throw new RangeError('Input buffers must have the same byte length')
  return a.reduce((sum, byte, at) => sum | (byte ^ (b[at] ?? 0)), 0) === 0
}

export const nodeCrypto = {
  createHash: (name: unknown) => new Digest(hashNamed(name).create()),
  createHmac: (name: unknown, key: unknown) => new Digest(hmac.create(hashNamed(name), bytesOf(key))),
  hash: (name: unknown, data: unknown, encoding = 'hex') =>
    new Digest(hashNamed(name).create()).update(data).digest(encoding),
  getHashes: () => Object.keys(hashes),
  getRandomValues: (into: Uint8Array) => crypto.getRandomValues(into as Uint8Array<ArrayBuffer>),
  randomBytes,
  randomInt,
  randomUUID,
  timingSafeEqual,
  webcrypto: crypto,
}
