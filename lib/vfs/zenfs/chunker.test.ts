import { expect, test } from 'vitest'
import { cutBlocks, maxBytes, minBytes, wantedBytes } from './chunker'
import { prepareContent } from './content'

/** The same bytes for the same seed. */
function noise(length: number, seed: number): Uint8Array {
  let word = seed
  return Uint8Array.from({ length }, () => {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) | 0
    return word >>> 24
  })
}

test.each([0, 1, wantedBytes, wantedBytes + 1, 300_000, 2_000_000])('%i bytes are cut and join again', (length) => {
  const data = noise(length, length)
  const blocks = cutBlocks(data)
  expect(Buffer.concat(blocks).equals(Buffer.from(data))).toBe(true)
  for (const block of blocks.slice(0, -1)) {
    expect(block.length).toBeGreaterThan(minBytes)
    expect(block.length).toBeLessThanOrEqual(maxBytes)
  }
})

test('bytes of one kind are cut too', () => {
  expect(cutBlocks(new Uint8Array(1_000_000)).every((block) => block.length <= maxBytes)).toBe(true)
})

test('blocks are near the size that is wanted', () => {
  const blocks = cutBlocks(noise(10_000_000, 7))
  expect(10_000_000 / blocks.length).toBeGreaterThan(wantedBytes / 2)
  expect(10_000_000 / blocks.length).toBeLessThan(wantedBytes * 2)
})

test.each([0, 2_500_000, 5_000_000])('a byte put in at %i of 5 MB changes few blocks', async (at) => {
  const data = noise(5_000_000, 3)
  const edited = new Uint8Array(data.length + 1)
  edited.set(data.subarray(0, at))
  edited[at] = 42
  edited.set(data.subarray(at), at + 1)
  const [before, after] = [await prepareContent(data), await prepareContent(edited)]
  const known = new Set(before.blocks.map(({ key }) => key))
  expect(before.blocks.length).toBeGreaterThan(40)
  expect(after.blocks.filter(({ key }) => !known.has(key)).length).toBeLessThanOrEqual(3)
})

test('equal bytes have equal versions, others have others, also when a file holds the names of another’s blocks', async () => {
  const data = noise(200_000, 9)
  const content = await prepareContent(data)
  expect((await prepareContent(data.slice())).version).toBe(content.version)
  const names = new TextEncoder().encode(content.blocks.map(({ key }) => key).join(','))
  const versions = [content, await prepareContent(names), await prepareContent(new Uint8Array())].map(
    (each) => each.version,
  )
  expect(new Set(versions).size).toBe(3)
})
