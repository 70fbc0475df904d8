import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameOf } from './path'
import { bundleLimits, bundlesOf, createSnapshots } from './snapshot'
import type { VfsTreeEntry } from './vfs'

const file = (path: string, size: number): VfsTreeEntry => ({
  path,
  name: nameOf(path),
  kind: 'file',
  size,
  modifiedAt: 0,
  version: `${path} ${size}`,
})

const sizes = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1_900_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_900_000, max: 9_000_000 }) },
)
const files = fc
  .uniqueArray(fc.tuple(fc.constantFrom('', '/a', '/b', '/a/c', '/long/way'), fc.nat(50_000), sizes), {
    selector: ([folder, name]) => `${folder}/${name}`,
    maxLength: 3_000,
    size: 'max',
  })
  .map((all) => all.map(([folder, name, size]) => file(`${folder}/${name}`, size)))

const keysOf = (entries: readonly VfsTreeEntry[]) =>
  new Set(bundlesOf(entries).map((bundle) => bundle.map(({ entry }) => entry.version).join()))

test('every file is in one Blob, and no Blob of several files exceeds the limits', () => {
  let several = 0
  fc.assert(
    fc.property(files, (entries) => {
      const bundles = bundlesOf(entries)
      expect(
        bundles
          .flat()
          .map(({ index }) => index)
          .toSorted((a, b) => a - b),
      ).toEqual([...entries.keys()])
      for (const bundle of bundles) {
        expect(bundle.length).toBeLessThanOrEqual(bundleLimits.files)
        if (bundle.length > 1) {
          expect(bundle.reduce((sum, { entry }) => sum + entry.size, 0)).toBeLessThanOrEqual(bundleLimits.bytes)
        }
      }
      if (bundles.length > 3) several++
    }),
    { numRuns: 30 },
  )
  expect(several).toBeGreaterThan(5)
})

test('adding, removing or changing a file leaves all Blobs but its own unchanged', () => {
  fc.assert(
    fc.property(files, fc.nat(), sizes, (entries, pick, size) => {
      if (entries.length === 0) return
      const before = keysOf(entries)
      const at = pick % entries.length
      const changes = [
        [...entries, file(`/a/new-${pick}`, size)],
        entries.filter((_, index) => index !== at),
        entries.map((entry, index) => (index === at ? file(entry.path, size) : entry)),
      ]
      for (const after of changes) {
        const read = [...keysOf(after)].filter((key) => !before.has(key))
        // Its own Blob is read again; one that grew too large is split into parts, few of which contain anything.
        const held = read.join(',').split(',').length
        expect(held).toBeLessThanOrEqual(bundleLimits.files + 1)
      }
    }),
    { numRuns: 30 },
  )
})

test('names with the same hash are still split', () => {
  const entries = Array.from({ length: 2_300 }, () => file('/same', 10))
  expect(bundlesOf(entries).flat()).toHaveLength(2_300)
  expect(Math.max(...bundlesOf(entries).map((bundle) => bundle.length))).toBeLessThanOrEqual(bundleLimits.files)
})

test('reads only what changed since the last snapshot, and everything again after forget', async () => {
  const snapshots = createSnapshots()
  const entries = Array.from({ length: 4_000 }, (_, at) => file(`/f${at}`, 4))
  let reads = 0
  const take = (of: readonly VfsTreeEntry[]) =>
    snapshots.take(of, () => {
      reads++
      return new Uint8Array(4)
    })
  const readsOf = async (of: readonly VfsTreeEntry[]) => {
    const before = reads
    await take(of)
    return reads - before
  }
  const first = await take(entries)
  expect(reads).toBe(4_000)
  const second = await take(entries)
  expect(reads).toBe(4_000)
  expect(second.blobs.every((blob, at) => blob === first.blobs[at])).toBe(true)
  const touched = await readsOf(entries.map((entry, at) => (at === 7 ? file(entry.path, 5) : entry)))
  expect(touched).toBeGreaterThan(0)
  expect(touched).toBeLessThanOrEqual(bundleLimits.files)
  // The previous Blob was no longer used, and is gone.
  expect(await readsOf(entries)).toBe(touched)
  snapshots.forget()
  expect(await readsOf(entries)).toBe(4_000)
})
