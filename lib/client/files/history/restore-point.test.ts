import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { ChangeOrigin, ChangeSet } from '@/lib/vfs/vfs-history'
import { setsAfter, activeChanges, type TreeMessage, previewMove } from './restore-point'

// u1 ─ a1 ─┬─ u2 ─ a2 ─ u3 ─ a3
//          └─ u4 ─ a4
const tree = new Map<string, TreeMessage>(
  Object.entries({ u1: null, a1: 'u1', u2: 'a1', a2: 'u2', u3: 'a2', a3: 'u3', u4: 'a1', a4: 'u4' }).map(
    ([id, parentId]) => [id, { id, parentId }],
  ),
)
const call = (messageId: string): ChangeOrigin => ({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 'write_file' })
const user = (messageId: string | null): ChangeOrigin => ({ kind: 'user', action: 'edited', messageId })
const text = (words: string) => new TextEncoder().encode(words)

async function made(origins: readonly ChangeOrigin[]) {
  const vfs = createMemoryVfs()
  for (const [at, origin] of origins.entries()) await vfs.recording(origin).write(`/f${at}`, text(`${at}`))
  const listed = await vfs.history.list()
  return { vfs, sets: listed.ok ? listed.value.toReversed() : [] }
}
const ids = (sets: readonly ChangeSet[]) => sets.map(({ id }) => id)

test('after a message come the changes of the messages below it, and manual changes meanwhile', async () => {
  const { sets } = await made([user(null), call('a1'), user('a1'), call('a2'), user('a2'), call('a3')])
  expect(ids(setsAfter(sets, tree, 'a1'))).toEqual([4, 5, 6])
  expect(ids(setsAfter(sets, tree, 'a2'))).toEqual([6])
  expect(ids(setsAfter(sets, tree, 'a3'))).toEqual([])
  expect(ids(setsAfter(sets, tree, 'u1'))).toEqual([2, 3, 4, 5, 6])
  expect(ids(setsAfter(sets, tree, null))).toEqual([2, 3, 4, 5, 6])
})

test('a manual change on another branch counts as after a message if it is later than one that surely is', async () => {
  const { sets } = await made([call('a1'), user('a4'), call('a3'), user('a4')])
  expect(ids(setsAfter(sets, tree, 'a2'))).toEqual([3, 4])
  // The other branch is below a1, too.
  expect(ids(setsAfter(sets, tree, 'a1'))).toEqual([2, 3, 4])
})

test('a restore undoes what is still active', async () => {
  const { vfs } = await made([call('a1'), call('a2'), call('a3'), call('a4')])
  await vfs.history.setUndone([2], true)
  await vfs.history.follow(['u1', 'a1', 'u2', 'a2', 'u3', 'a3'])
  const listed = await vfs.history.list()
  expect(ids(activeChanges(setsAfter(listed.ok ? listed.value : [], tree, 'a1')))).toEqual([3])
})

test('a preview lists what the restore then does, and changes nothing itself', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('a1')).write('/keep/a', text('1'))
  await vfs.recording(call('a1')).write('/gone', text('1'))
  await vfs.recording(call('a2')).write('/keep/a', text('2'))
  await vfs.recording(call('a2')).write('/new/b', text('2'))
  await vfs.recording(call('a3')).remove('/gone')
  const back = (set: ChangeSet) => (set.id > 2 ? { ...set, undone: true } : set)
  const listed = await vfs.history.list()
  const later = (listed.ok ? listed.value : []).filter(({ origin }) => origin.messageId !== 'a1').map(({ id }) => id)
  const preview = await previewMove(vfs, (set) => (later.includes(set.id) ? { ...set, undone: true } : back(set)))
  expect(preview).toEqual({
    ok: true,
    value: [
      { path: '/gone', change: 'created', kind: 'file' },
      { path: '/keep/a', change: 'changed', kind: 'file' },
      { path: '/new', change: 'deleted', kind: 'directory' },
      { path: '/new/b', change: 'deleted', kind: 'file' },
    ],
  })
  expect((await vfs.stat('/new/b')).ok).toBe(true)
  const moved = await vfs.history.setUndone(later, true)
  expect(moved.ok && moved.value.changed).toEqual(['/gone', '/keep/a', '/new', '/new/b'])
})
