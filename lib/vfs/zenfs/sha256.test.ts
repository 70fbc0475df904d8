import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256'

test('hashes as Node does, at every length around the block size', () => {
  for (let length = 0; length < 300; length++) {
    const data = Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256)
    expect(Buffer.from(sha256(data)).toString('hex'), `length ${length}`).toBe(
      createHash('sha256').update(data).digest('hex'),
    )
  }
})

test('hashes a view of other memory by its own bytes', () => {
  const memory = Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256)
  const view = memory.subarray(1_001, 4_321)
  expect(Buffer.from(sha256(view)).toString('hex')).toBe(createHash('sha256').update(view).digest('hex'))
})
