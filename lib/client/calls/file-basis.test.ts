import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { changedSince, createShownBasis, filesChanged, fingerprints } from './call-jobs'

const bytes = (text: string) => new TextEncoder().encode(text)

test('notices a file that was added, removed or changed, and a folder in which anything changed', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/a', bytes('one'))
  await vfs.write('/d/x/y', bytes('two'))
  const basis = await fingerprints(vfs, ['/a', '/none', '/d'])
  expect(await changedSince(vfs, basis)).toEqual([])
  await vfs.write('/a', bytes('one'))
  expect(await changedSince(vfs, basis)).toEqual([])
  await vfs.write('/a', bytes('eno'))
  await vfs.write('/none', bytes(''))
  await vfs.write('/d/x/y', bytes('too'))
  expect(await changedSince(vfs, basis)).toEqual(['/a', '/none', '/d'])
  await vfs.write('/a', bytes('one'))
  await vfs.remove('/none')
  await vfs.move('/d/x/y', '/d/x/z')
  expect(await changedSince(vfs, basis)).toEqual(['/d'])
})

test('says which file changed', () => {
  expect(filesChanged(['/a'])).toContain('/a changed after you looked')
  expect(filesChanged(['/a', '/b'])).toContain('/a and /b changed')
  expect(filesChanged(['/a', '/b', '/c'])).toContain('/a and 2 others changed')
})

test('counts a change under the pointer as seen only after a moment', () => {
  let now = 0
  const shown = createShownBasis(() => now)
  expect(shown.seen('m:0')).toBeNull()
  const first = new Map([['/a', 'one']])
  shown.show('m:0', first)
  expect(shown.seen('m:0')).toBe(first)
  now = 1_000
  const second = new Map([['/a', 'two']])
  shown.show('m:0', second)
  now = 1_100
  expect(shown.seen('m:0')).toBe(first)
  shown.show('m:0', new Map([['/a', 'two']]))
  now = 1_400
  expect(shown.seen('m:0')).toBe(second)
})
