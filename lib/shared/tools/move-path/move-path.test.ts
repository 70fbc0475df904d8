import { expect, test } from 'vitest'
import { filesWith, runTool, sentenceOf, textOf } from '../testing/files'
import type { CurrentItem } from '../tool'
import { movePath } from '.'

test('lists the new paths of a folder’s files', () => {
  const inside = [{ path: '/a/x.md', size: 3 }]
  const folder = { text: null, size: 3, files: 4, inside }
  const { body } = movePath.card.summarize({ from: '/a/', to: 'b//c' }, (path) => (path === '/a/' ? folder : null))
  expect(body).toEqual({
    kind: 'paths',
    label: 'Files to move',
    gone: false,
    entries: [{ path: '/a/x.md', to: '/b/c/x.md', size: 3 }],
    total: 4,
  })
})

test('says where from and to, and whether it would fail', () => {
  const args = { from: '/a', to: '/b' }
  expect(sentenceOf(movePath, args)).toBe('Move `/a` to `/b`')
  const said = (a: CurrentItem | null, b: CurrentItem | null) =>
    sentenceOf(movePath, args, (path) => (path === '/a' ? a : b))
  const file = { text: 'x', size: 1 }
  expect(said(null, null)).toBe('Move `/a` to `/b`. It does not exist, so this would fail')
  expect(said(file, null)).toBe('Move `/a` to `/b`, a file of 1 B')
  expect(said(file, file)).toBe('Move `/a` to `/b`, where a file already exists, so this would fail')
  expect(said(file, { text: null, size: 1, files: 1 })).toContain('a folder already exists')
  expect(said({ text: null, size: 5, files: 2 }, null)).toBe('Move `/a` to `/b`, 2 files, 5 B')
  expect(movePath.card.summarize(args)).toMatchObject({
    dependsOn: ['/a', '/b'],
    head: '/a → /b',
    body: { kind: 'none' },
  })
  expect(movePath.policy.paths?.(args)).toEqual(['/a', '/b'])
  expect(movePath.policy.paths?.({ from: 1 })).toEqual([])
})

test('moves files and folders, and creates folders on the way', async () => {
  const vfs = await filesWith({ '/a': 'one', '/d/b': 'two' })
  expect(await runTool(movePath, { from: 'a', to: '/new/deep/a' }, { vfs })).toEqual({
    ok: true,
    result: { from: '/a', to: '/new/deep/a', kind: 'file' },
  })
  expect(await runTool(movePath, { from: '/d', to: '/new/d' }, { vfs })).toMatchObject({ result: { kind: 'folder' } })
  expect([await textOf(vfs, '/new/deep/a'), await textOf(vfs, '/new/d/b'), await textOf(vfs, '/a')]).toEqual([
    'one',
    'two',
    null,
  ])
})

test.each([
  ['/a', '/b', 'EEXIST', 'There is already a file at /b, and moving never replaces one.'],
  ['/a', '/d', 'EEXIST', 'There is already a folder at /d. To move it into that folder, give the whole path: /d/a.'],
  ['/d', '/b', 'EEXIST', 'already a file'],
  ['/d', '/d/e', 'EINVAL', '/d can’t be moved into itself.'],
  ['/a', '/a', 'EINVAL', 'the same path'],
  ['/a', '/b/c', 'ENOTDIR', '/b is a file, not a folder.'],
  ['/', '/x', 'EACCES', 'The root folder can’t be moved.'],
  ['/no', '/x', 'ENOENT', 'There is nothing at /no.'],
  ['/a', '/../x', 'EACCES', 'leads out'],
])('refuses %s to %s and moves nothing', async (from, to, reason, words) => {
  const vfs = await filesWith({ '/a': 'one', '/b': 'two', '/d/x': 'three' })
  const outcome = await runTool(movePath, { from, to }, { vfs })
  expect(outcome).toMatchObject({ ok: false, reason, message: expect.stringContaining(words) })
  expect([await textOf(vfs, '/a'), await textOf(vfs, '/b'), await textOf(vfs, '/d/x')]).toEqual(['one', 'two', 'three'])
})

test('refuses the second of two parallel moves to one path', async () => {
  const vfs = await filesWith({ '/a': 'one', '/b': 'two' })
  const outcomes = await Promise.all(['/a', '/b'].map((from) => runTool(movePath, { from, to: '/c' }, { vfs })))
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false])
  expect([await textOf(vfs, '/c'), await textOf(vfs, '/b')]).toEqual(['one', 'two'])
})
