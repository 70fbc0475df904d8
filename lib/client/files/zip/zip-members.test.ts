import { expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createZip } from './create-zip'
import { readZip } from './read-zip'
import { zipMembers } from './zip-members'

const text = (value: string) => new TextEncoder().encode(value)
const limits = { maxFiles: 100, maxFileBytes: 1_000, maxTotalBytes: 10_000 }

async function zipped(paths: readonly string[]) {
  const vfs = createMemoryVfs()
  await vfs.write('/data/a.csv', text('a'))
  await vfs.write('/data/deep/b.csv', text('b'))
  await vfs.write('/old/a.csv', text('old a'))
  await vfs.makeDirectory('/empty')
  await vfs.makeDirectory('/data/void')
  const members = await zipMembers(vfs, paths)
  if (!members.ok) return members.error.message
  const read = await readZip(await createZip(members.value), limits)
  if (!read.ok) throw new Error(read.error.message)
  const files = read.value.files.map(({ path, data }) => `${path}: ${new TextDecoder().decode(data)}`)
  return [...files, ...read.value.folders.map((folder) => `${folder}/`)].toSorted()
}

it('packs everything unchanged', async () => {
  const all = ['data/a.csv: a', 'data/deep/b.csv: b', 'data/void/', 'empty/', 'old/a.csv: old a']
  expect(await zipped(['/'])).toEqual(all)
})

it('packs each selected path under its own name, and tells equal names apart', async () => {
  expect(await zipped(['/data/a.csv', '/old/a.csv'])).toEqual(['a 2.csv: old a', 'a.csv: a'])
  expect(await zipped(['/data/deep', '/empty'])).toEqual(['deep/b.csv: b', 'empty/'])
})

it('packs a path once if its folder is selected too', async () => {
  expect(await zipped(['/data/deep/b.csv', '/data', '/data/a.csv', '/data'])).toEqual([
    'data/a.csv: a',
    'data/deep/b.csv: b',
    'data/void/',
  ])
})

it('names missing paths', async () => {
  expect(await zipped(['/nothing'])).toContain('/nothing')
})
