import { expect, test } from 'vitest'
import { byteCount, checksum, createByteReader, readBytes, sameBytes, type FileBytes } from './file-bytes'

const whole = new Uint8Array(9_000_000).map((_, at) => (at * 31 + (at >> 12)) & 0xff)
const blob = new Blob([whole])
const part = (at: number, size: number): FileBytes => ({ blob, at, size })

const places = [
  [0, 0],
  [0, 5],
  [3_999_990, 10],
  [3_999_990, 20],
  [4_000_000, 3],
  [1, 8_999_999],
  [8_999_999, 1],
] as const

test.each(places)('a part of a Blob has the bytes of its range: %i, %i', async (at, size) => {
  const bytes = whole.subarray(at, at + size)
  const data = part(at, size)
  const read = createByteReader()
  for (const given of [await readBytes(data), await read(data), await read(bytes)])
    expect(Buffer.compare(given, bytes)).toBe(0)
  expect(byteCount(data)).toBe(size)
  expect(await checksum(data)).toBe(await checksum(bytes))
})

test('equal bytes are equal wherever they are stored, and one byte makes them different', async () => {
  const other = whole.slice()
  other[8_500_000] = (other[8_500_000] ?? 0) ^ 1
  const all = part(0, whole.byteLength)
  const changed: FileBytes = { blob: new Blob([other]), at: 0, size: other.byteLength }
  for (const same of [whole, all]) {
    expect(await sameBytes(all, same)).toBe(true)
    expect(await sameBytes(whole, same)).toBe(true)
    for (const different of [other, changed]) expect(await sameBytes(different, same)).toBe(false)
  }
  expect(await sameBytes(all, part(0, 5))).toBe(false)
})

test('a large file is compared piece by piece: the browser can do other work in between', async () => {
  const sizes: number[] = []
  const watched = new Blob([whole])
  const slice = watched.slice.bind(watched)
  watched.slice = (...range) => {
    const piece = slice(...range)
    sizes.push(piece.size)
    return piece
  }
  const data = { blob: watched, at: 0, size: whole.byteLength }
  expect(await sameBytes(data, data)).toBe(true)
  await checksum(data)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3 * whole.byteLength)
})

test('small files of one Blob are read together', async () => {
  let reads = 0
  const counted = new Blob([whole])
  const slice = counted.slice.bind(counted)
  counted.slice = (...range) => {
    reads += 1
    return slice(...range)
  }
  const read = createByteReader()
  const files = Array.from({ length: 500 }, (_, index) => ({ blob: counted, at: index * 10_000, size: 100 }))
  const bytes = await Promise.all(files.map(read))
  expect(bytes.every((each, index) => each[0] === whole[index * 10_000])).toBe(true)
  expect(reads).toBe(2)
})
