import { expect, it } from 'vitest'
import { openOpfsStore } from './opfs-store.browser'
import { WeightsStoreFull } from './weights-store'

/** A private file system of one file, with the given `write`. */
function placeWriting(write: (part: Uint8Array) => number) {
  const access = { getSize: () => 0, truncate() {}, write, flush() {}, close() {} }
  const file = { createSyncAccessHandle: () => Promise.resolve(access) }
  const folder = { getFileHandle: () => Promise.resolve(file) }
  const root = { getDirectoryHandle: () => Promise.resolve(folder) }
  return openOpfsStore({ getDirectory: () => Promise.resolve(root) } as unknown as StorageManager)
}

const part = new Uint8Array(100)

it('counts the written bytes', async () => {
  const writer = await (await placeWriting(({ length }) => length)).append('a')
  writer.write(part)
  writer.write(part)
  expect(writer.bytes).toBe(200)
})

type Write = (part: Uint8Array) => number

const fullDisk: readonly (readonly [what: string, write: Write])[] = [
  [
    'throws',
    () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  ],
  ['writes a part', () => 99],
  ['writes nothing', () => 0],
  // Chromium 156: a negative error code, as a count.
  ['gives an error as a count', () => 4_294_967_288],
]

it.each(fullDisk)('is full if the browser %s, and counts nothing of it', async (_what, write) => {
  const writer = await (await placeWriting(write)).append('a')
  expect(() => writer.write(part)).toThrow(WeightsStoreFull)
  expect(writer.bytes).toBe(0)
})
