import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { nameContent } from './commit'

afterEach(() => {
  vi.unstubAllGlobals()
})

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')
const sizes = [0, 1, 55, 64, 8_192, 8_193, 100_000]

test.each(sizes)('%i bytes are named by their SHA-256, whichever implementation computes it', async (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 256)
  expect(await nameContent(bytes)).toEqual({ version: expected(bytes), size, bytes })
  vi.stubGlobal('crypto', {})
  expect((await nameContent(bytes)).version).toBe(expected(bytes))
})

test('any bytes are named by their SHA-256', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect((await nameContent(bytes)).version).toBe(expected(bytes))
    }),
  ))
