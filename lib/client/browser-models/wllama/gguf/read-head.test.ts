import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ggufBytes, tinyShape, weightTypes } from '../testing/write-gguf'
import { readGgufHead } from './read-head'

const whole = ggufBytes(tinyShape)
const blob = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes])
/** Where the data begin: all tensors except the norms are in whole blocks, so the head is what is before them. */
const troubleOf = async (bytes: Uint8Array<ArrayBuffer>) => {
  const read = await readGgufHead(blob(bytes))
  return read.ok ? 'none' : read.trouble.kind
}

describe('the head of a GGUF', () => {
  it('says what the model is, how long its file is, and how much memory a token takes', async () => {
    const read = await readGgufHead(blob(whole))
    expect(read).toEqual({
      ok: true,
      head: {
        architecture: 'llama',
        name: 'random weights',
        trainedTokens: 4096,
        // Two layers of two heads of 16 keys and 16 values, two bytes each.
        bytesPerToken: 2 * 2 * 2 * 32,
        parts: 1,
        hasTemplate: true,
        tensors: 3 + 2 * 9,
        bytes: whole.length,
      },
    })
  })

  it('knows the length of files of packed weights, too', async () => {
    for (const type of [weightTypes.Q4_0, weightTypes.Q8_0]) {
      const bytes = ggufBytes({ ...tinyShape, type, tied: true, vocabulary: 1024 })
      const read = await readGgufHead(blob(bytes))
      // Padding behind the last tensor.
      expect(read.ok && bytes.length - read.head.bytes).toBeLessThan(32)
      expect(await troubleOf(bytes.slice(0, -32))).toBe('truncated')
    }
  })

  it('is enough to know the full length of a file that is not complete yet', async () => {
    const read = await readGgufHead(blob(whole.slice(0, 64_000)), whole.length)
    expect(read.ok && read.head.bytes).toBe(whole.length)
  })

  it('notices a file that ends too early, wherever it ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: whole.length - 1 }), async (length) => {
        expect(await troubleOf(whole.slice(0, length))).toBe('truncated')
      }),
      { numRuns: 60 },
    )
    const read = await readGgufHead(blob(whole.slice(0, -1)))
    expect(!read.ok && read.trouble).toEqual({ kind: 'truncated', bytes: whole.length })
  })

  it('is refused for anything else, and never read beyond its end', async () => {
    expect(await troubleOf(new TextEncoder().encode('<!doctype html>not found'))).toBe('not-gguf')
    expect(await troubleOf(new Uint8Array())).toBe('not-gguf')
    const other = whole.slice()
    new DataView(other.buffer).setUint32(4, 1, true)
    expect(await troubleOf(other)).toBe('version')
    const mad = whole.slice()
    new DataView(mad.buffer).setBigUint64(8, 2n ** 60n, true)
    expect(await troubleOf(mad)).toBe('damaged')
  })

  it('is read, or refused, for any content that begins as one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 4, max: 400 }), async (noise, at) => {
        const broken = whole.slice(0, 60_000)
        broken.set(noise, at)
        expect(await readGgufHead(blob(broken), whole.length)).toHaveProperty('ok')
      }),
      { numRuns: 200 },
    )
  })
})
