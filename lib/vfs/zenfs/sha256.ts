/*
 * SHA-256 (FIPS 180-4) for short inputs. `crypto.subtle` hands its work to another thread, and for a small file the way there
 * and back takes several times as long as the hash. Not constant in time: nothing secret is hashed.
 */
const first64Primes: readonly number[] = (() => {
  const primes: number[] = []
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
})()

/** The first 32 bits of the fraction. */
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0

const startWords = Int32Array.from(first64Primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const roundWords = Int32Array.from(first64Primes, (prime) => fraction(Math.cbrt(prime)))
const schedule = new Int32Array(64)

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))
const at = (words: Int32Array, index: number) => words[index] as number

function mix(state: Int32Array, block: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = block.getInt32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const [early, late] = [at(schedule, i - 15), at(schedule, i - 2)]
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[i] = (at(schedule, i - 16) + small + at(schedule, i - 7) + large) | 0
  }
  let a = at(state, 0)
  let b = at(state, 1)
  let c = at(state, 2)
  let d = at(state, 3)
  let e = at(state, 4)
  let f = at(state, 5)
  let g = at(state, 6)
  let h = at(state, 7)
  for (let i = 0; i < 64; i++) {
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + sum1 + ((e & f) ^ (~e & g)) + at(roundWords, i) + at(schedule, i)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (at(state, i) + word) | 0
}

/** The 32 bytes of the hash. */
export function sha256(data: Uint8Array): Uint8Array {
  const state = startWords.slice()
  const whole = data.length - (data.length % 64)
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let offset = 0; offset < whole; offset += 64) mix(state, view, offset)
  const rest = data.subarray(whole)
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128)
  tail.set(rest)
  tail[rest.length] = 0x80
  const tailView = new DataView(tail.buffer)
  tailView.setUint32(tail.length - 8, Math.floor(data.length / 2 ** 29))
  tailView.setUint32(tail.length - 4, data.length << 3)
  for (let offset = 0; offset < tail.length; offset += 64) mix(state, tailView, offset)
  const digest = new Uint8Array(32)
  const out = new DataView(digest.buffer)
  for (const [i, word] of state.entries()) out.setInt32(i * 4, word)
  return digest
}
