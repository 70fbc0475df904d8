import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import { changesOfCall, groupChanges, laterChanges } from './change-groups'
import {
  changeText,
  lineCountText,
  originText,
  summarizeChanges,
  comparable,
  countLines,
  readSides,
} from './change-texts'

const call = (messageId: string, slot = 0, tool = 'write_file', attempt = 1): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot,
  attempt,
  tool,
})
const text = (words: string) => new TextEncoder().encode(words)
const groups = async (vfs: Vfs) => {
  const listed = await vfs.history.list()
  if (!listed.ok) throw new Error(listed.error.message)
  return groupChanges(listed.value)
}
const said = (parts: readonly { readonly text: string }[]) => parts.map((part) => part.text).join('')

async function wordsOf(vfs: Vfs): Promise<string> {
  const [group] = await groups(vfs)
  if (!group) throw new Error('nothing changed')
  const summary = summarizeChanges(group.changes)
  const lines = summary.file === null ? null : await countLines(await readSides(vfs.history, group, summary.file))
  return `${summary.title}: ${labelOf(said(changeText(group.changes, summary, lines)))}`
}

test('a row says how many lines of a file a call changed', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('m1')).write('/notes/a.md', text('one\ntwo\nthree\n'))
  expect(await wordsOf(vfs)).toBe('/notes/a.md: new, +3 lines')
  await vfs.recording(call('m2')).write('/notes/a.md', text('one\n2\nthree\nfour\nfive\n'))
  expect(await wordsOf(vfs)).toBe('/notes/a.md: +3 −1 lines')
  await vfs.recording(call('m3')).remove('/notes/a.md')
  expect(await wordsOf(vfs)).toBe('/notes/a.md: deleted, −5 lines')
  await vfs.recording(call('m4')).write('/one', text('x'))
  expect(await wordsOf(vfs)).toBe('/one: new, +1 line')
  await vfs.recording(call('m5')).write('/b.bin', new Uint8Array([0, 1, 255]))
  expect(await wordsOf(vfs)).toBe('/b.bin: new')
  await vfs.recording(call('m6')).makeDirectory('/empty')
  expect(await wordsOf(vfs)).toBe('/empty: new folder')
})

test('a row summarizes many files or a folder, and says where something was moved', async () => {
  const vfs = createMemoryVfs()
  const many = vfs.recording(call('m1'))
  for (let at = 0; at < 14; at++) await many.write(`/data/${at}.csv`, text(`${at}`))
  expect(await wordsOf(vfs)).toBe('14 files in /data: new')
  await vfs.recording(call('m2')).move('/data', '/archive/data')
  expect(await wordsOf(vfs)).toBe('/data: moved to /archive/data')
  await vfs.recording(call('m3')).remove('/archive/data')
  expect(await wordsOf(vfs)).toBe('/archive/data: deleted, 14 files')
  await vfs.recording(call('m4')).apply([
    { kind: 'write', path: '/p/a', data: text('a') },
    { kind: 'write', path: '/p/b', data: text('b') },
  ])
  await vfs.recording(call('m5')).apply([
    { kind: 'write', path: '/p/a', data: text('A') },
    { kind: 'remove', path: '/p/b' },
    { kind: 'write', path: '/p/c', data: text('c') },
  ])
  expect(await wordsOf(vfs)).toBe('3 files in /p: 1 new, 1 changed, 1 deleted')
  await vfs.recording(call('m6')).move('/p/a', '/q')
  expect(await wordsOf(vfs)).toBe('/p/a: moved to /q')
})

test('groups the sets of one call, also with those of another call between them', async () => {
  const vfs = createMemoryVfs()
  const first = vfs.recording(call('m1'))
  await first.write('/a', text('1'))
  await vfs.recording(call('m1', 1)).write('/a', text('2'))
  await first.write('/a', text('3'))
  const all = await groups(vfs)
  expect(all.map(({ key, ids }) => [key, ids])).toEqual([
    ['call:m1:0:1', [3, 1]],
    ['call:m1:1:1', [2]],
  ])
  const [outer] = all
  if (!outer) throw new Error('no group')
  const sides = await readSides(vfs.history, outer, '/a')
  expect(comparable(sides)).toEqual({ before: '', after: '3' })
  expect(laterChanges(all, outer).map(({ key }) => key)).toEqual(['call:m1:1:1'])
  await vfs.history.setUndone([3], true)
  expect((await groups(vfs))[0]?.undone).toBe('partly')
  await vfs.history.setUndone([1], true)
  expect((await groups(vfs))[0]?.undone).toBe('yes')
})

test('gives a second attempt its own group, of the same call', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording(call('m1')).write('/a', text('1'))
  await vfs.recording(call('m1', 0, 'write_file', 2)).write('/a', text('2'))
  const all = await groups(vfs)
  expect(changesOfCall(all, 'm1', 0).map(({ key }) => key)).toEqual(['call:m1:0:2', 'call:m1:0:1'])
  expect(changesOfCall(all, 'm1', 1)).toEqual([])
})

test('lists each manual change separately, under the user’s name', async () => {
  const vfs = createMemoryVfs()
  await vfs.recording({ kind: 'user', action: 'edited', messageId: null }).write('/a', text('1'))
  await vfs.recording({ kind: 'user', action: 'edited', messageId: null }).write('/b', text('1'))
  const all = await groups(vfs)
  expect(all.map(({ origin }) => originText(origin))).toEqual(['you edited', 'you edited'])
})

test('says of a side that it is no text, too large or pruned', async () => {
  const vfs = createMemoryVfs({ limits: { maxHistorySets: 1 } })
  await vfs.recording(call('m1')).write('/big', new Uint8Array(1_000_001).fill(65))
  const [big] = await groups(vfs)
  if (!big) throw new Error('no group')
  expect(await readSides(vfs.history, big, '/big')).toEqual({
    before: { kind: 'nothing' },
    after: { kind: 'unreadable', size: 1_000_001 },
  })
  expect(await countLines(await readSides(vfs.history, big, '/big'))).toBeNull()
  await vfs.recording(call('m2')).write('/small', text('x'))
  const [small] = await groups(vfs)
  if (!small) throw new Error('no group')
  await vfs.recording(call('m3')).write('/small', text('y'))
  expect(await readSides(vfs.history, small, '/small')).toEqual({
    before: { kind: 'nothing' },
    after: { kind: 'gone' },
  })
})

test('writes counts as a sentence', () => {
  expect(said(lineCountText({ added: 1, removed: 0 }))).toBe('+1 line')
  expect(said(lineCountText({ added: 0, removed: 2 }))).toBe('−2 lines')
  expect(said(lineCountText({ added: 0, removed: 0 }))).toBe('no lines')
})
