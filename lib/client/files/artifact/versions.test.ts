import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { ChangeOrigin, ChangeSet } from '@/lib/vfs/vfs-history'
import type { Vfs } from '@/lib/vfs/vfs'
import { artifactsAmong } from './artifact-kind'
import { changedSinceVersion, filesAt, restoringChanges, versionsOf } from './versions'

const encode = (text: string) => new TextEncoder().encode(text)
const call = (messageId: string, slot = 0): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot,
  attempt: 1,
  tool: 'write_file',
})
const user: ChangeOrigin = { kind: 'user', action: 'edited', messageId: null }

async function setsOf(vfs: Vfs): Promise<readonly ChangeSet[]> {
  const listed = await vfs.history.list()
  if (!listed.ok) throw new Error(listed.error.message)
  return listed.value
}
const textAt = async (files: Pick<Vfs, 'read'>, path: string) => {
  const read = await files.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : null
}
const paths = new Set(['/p/i.html', '/p/s.css'])

it('groups consecutive writes of a reply’s calls as one version; each manual edit is its own', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('m1')).write('/p/i.html', encode('1'))
  await vfs.recording(call('m1', 1)).write('/p/s.css', encode('a'))
  await vfs.recording(call('m1', 2)).write('/else', encode('-'))
  await vfs.recording(call('m2')).write('/p/s.css', encode('b'))
  await vfs.recording(user).write('/p/i.html', encode('2'))
  const sets = await setsOf(vfs)
  const versions = versionsOf(sets, paths)
  expect(versions.map(({ id, origin }) => [id, origin?.kind])).toEqual([
    [2, 'call'],
    [4, 'call'],
    [5, 'user'],
  ])
  const states = await Promise.all(
    versions.map(async ({ id }) => {
      const files = filesAt(vfs, sets, id)
      return [await textAt(files, '/p/i.html'), await textAt(files, '/p/s.css'), await textAt(files, '/else')]
    }),
  )
  expect(states).toEqual([
    ['1', 'a', null],
    ['1', 'b', '-'],
    ['2', 'b', '-'],
  ])
})

it('includes the state before the first change, and leaves out undone changes', async () => {
  const vfs = createMemoryVfs()
  await vfs.write('/p/i.html', encode('old'))
  await vfs.recording(call('m1')).write('/p/i.html', encode('1'))
  await vfs.recording(call('m2')).write('/p/i.html', encode('2'))
  await vfs.history.setUndone([2], true)
  const sets = await setsOf(vfs)
  expect(versionsOf(sets, paths).map(({ id }) => id)).toEqual([0, 1])
  expect(await textAt(filesAt(vfs, sets, 0), '/p/i.html')).toBe('old')
  expect(await textAt(filesAt(vfs, sets, 1), '/p/i.html')).toBe('1')
})

it('restores any version completely, and that can be undone', async () => {
  const step = fc.record({
    path: fc.constantFrom(...paths),
    text: fc.option(fc.constantFrom('x', 'y', 'z')),
    by: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(7), async (steps, pick) => {
      const vfs = createMemoryVfs()
      for (const { path, text, by } of steps) {
        const files = vfs.recording(by === 0 ? user : call(`m${by}`))
        await (text === null ? files.remove(path) : files.write(path, encode(text)))
      }
      const sets = await setsOf(vfs)
      const versions = versionsOf(sets, paths)
      const version = versions[pick % Math.max(1, versions.length)]
      if (!version) return
      const all = async (files: Pick<Vfs, 'read'>) => Promise.all([...paths].map((path) => textAt(files, path)))
      const [wanted, before] = [await all(filesAt(vfs, sets, version.id)), await all(vfs)]
      if (version === versions.at(-1)) expect(wanted).toEqual(before)
      const changes = restoringChanges(await changedSinceVersion(filesAt(vfs, sets, version.id), vfs, paths))
      const done = await vfs.recording({ kind: 'user', action: 'restored', messageId: null }).apply(changes)
      expect(done.ok).toBe(true)
      expect(await all(vfs)).toEqual(wanted)
      if (!done.ok || done.value.changeId === null) return
      await vfs.history.setUndone([done.value.changeId], true)
      expect(await all(vfs)).toEqual(before)
    }),
    { numRuns: 60 },
  )
})

it('recognizes artifacts by name; a page represents its parts', () => {
  expect(artifactsAmong(['/a.md', '/b.SVG', '/c.js', '/d.mmd', '/html'])).toEqual(['/b.SVG', '/d.mmd', '/a.md'])
  expect(artifactsAmong(['/p/logo.svg', '/p/z.html', '/p/a.html', '/p/read.md'])).toEqual(['/p/a.html', '/p/z.html'])
})
