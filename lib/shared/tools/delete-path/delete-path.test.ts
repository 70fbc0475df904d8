import { expect, test } from 'vitest'
import { filesWith, runTool, sentenceOf, textOf } from '../testing/files'
import type { CurrentItem } from '../tool'
import { deletePath } from '.'

test.each([
  [undefined, 'Delete `/notes`'],
  [{ text: null, size: 220_000, files: 14 }, 'Delete `/notes`, 14 files, 220 KB'],
  [{ text: null, size: 5, files: 1 }, 'Delete `/notes`, 1 file, 5 B'],
  [{ text: null, size: 0, files: 0 }, 'Delete `/notes`, a folder without files'],
  [{ text: 'x', size: 1 }, 'Delete `/notes`, a file of 1 B'],
  [null, 'Delete `/notes`. It does not exist, so this would fail'],
])('says what would be deleted: %j', (current, sentence) => {
  expect(sentenceOf(deletePath, { path: '/notes' }, current)).toBe(sentence)
  expect(deletePath.card.summarize({ path: '/notes' }, () => current).dependsOn).toEqual(['/notes'])
})

test('shows the text that would be deleted, or the files of a folder', () => {
  const body = (current: CurrentItem | null) => deletePath.card.summarize({ path: '/notes' }, () => current).body
  expect(body({ text: 'a\nb', size: 3 })).toMatchObject({ kind: 'diff', before: 'a\nb', after: '' })
  expect(body({ text: null, size: 3 })).toEqual({ kind: 'none' })
  const inside = [{ path: '/notes/a', size: 3 }]
  expect(body({ text: null, size: 9, files: 3, inside })).toEqual({
    kind: 'paths',
    label: 'Files to delete',
    gone: true,
    entries: inside,
    total: 3,
  })
})

test('deletes a file, or a folder with its contents, and says how much that was', async () => {
  const vfs = await filesWith({ '/a': 'xx', '/d/b': 'xxx', '/d/e/f': 'xxxx', '/keep': 'x' })
  expect(await runTool(deletePath, { path: 'a' }, { vfs })).toEqual({
    ok: true,
    result: { path: '/a', deleted: { kind: 'file', bytes: 2 } },
  })
  expect(await runTool(deletePath, { path: '/d/' }, { vfs })).toEqual({
    ok: true,
    result: { path: '/d', deleted: { kind: 'folder', files: 2, folders: 1, bytes: 7 } },
  })
  expect(await vfs.usage()).toMatchObject({ files: 1, usedBytes: 1 })
})

test.each([
  ['/', 'EACCES', 'The root folder can’t be deleted.'],
  ['/d/..', 'EACCES', 'The root folder can’t be deleted.'],
  ['', 'EACCES', 'The root folder can’t be deleted.'],
  ['/nots', 'ENOENT', 'There is no file or folder at /nots. The nearest name is /notes.'],
  ['/a/b', 'ENOTDIR', '/a is a file'],
  ['/..', 'EACCES', 'leads out'],
])('refuses %j and deletes nothing', async (path, reason, words) => {
  const vfs = await filesWith({ '/a': 'x', '/notes/b': 'x' })
  const outcome = await runTool(deletePath, { path }, { vfs })
  expect(outcome).toMatchObject({ ok: false, reason, message: expect.stringContaining(words) })
  expect((await vfs.usage()).files).toBe(2)
})

test('says before Run that the root can’t be deleted', () => {
  expect(sentenceOf(deletePath, { path: '//' }, { text: null, size: 9, files: 1 })).toContain('this would fail')
})

test('a stopped call deletes nothing', async () => {
  const vfs = await filesWith({ '/a': 'x' })
  expect(await runTool(deletePath, { path: '/a' }, { vfs, signal: AbortSignal.abort() })).toMatchObject({
    reason: 'stopped',
  })
  expect(await textOf(vfs, '/a')).toBe('x')
})
