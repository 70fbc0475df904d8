import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createDisk } from './disk'
import { openFolderStore, type FolderLink } from './folder-store'
import { isIgnored, leadsToNeverTaken, withRules, scanFolder } from './scan'
import { createNameCheck } from './compare'
import { linkFolder, takeIn } from './take-in'
import { createFakeDisk } from './testing/fake-disk'
import { createMemoryFolderStore, linkedFolder, type LinkedFolder } from './testing/folder-of-texts'
import { inspectJournal, settleJournal, trashTime, writeOut } from './write-out'

const at = Date.UTC(2026, 0, 2, 3, 4, 5)
const trash = `.nod-trash/${trashTime(at)}`
const workOf = ({ vfs, store, disk, link }: LinkedFolder) => ({
  vfs,
  store,
  disk: createDisk(disk.handle),
  link,
  now: () => at,
})
const pathsOf = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path)
const writeAll = async (folder: LinkedFolder) => writeOut((await folder.compare()).outgoing, workOf(folder))
const isClean = async (folder: LinkedFolder) => {
  const { outgoing, incoming, conflicts, blocked } = await folder.compare()
  expect({ outgoing, incoming, conflicts, blocked }).toEqual({ outgoing: [], incoming: [], conflicts: [], blocked: [] })
}

describe('ignore rules', () => {
  const rules = withRules(
    withRules([], '', 'dist/\n*.log\n!keep.log\n# note\n/top.txt\ndocs/**/*.tmp\n'),
    'sub',
    '!*.log\n',
  )

  it.each([
    ['dist', 'directory', true],
    ['dist', 'file', false],
    ['a.log', 'file', true],
    ['x/a.log', 'file', true],
    ['keep.log', 'file', false],
    ['sub/a.log', 'file', false],
    ['top.txt', 'file', true],
    ['x/top.txt', 'file', false],
    ['docs/a/b/c.tmp', 'file', true],
    ['A.LOG', 'file', false],
  ] as const)('%s, a %s: %s', (path, kind, ignored) => {
    expect(isIgnored(rules, path, kind)).toBe(ignored)
  })

  it('ignores a pattern that takes exponential time, and keeps the others', () => {
    const hostile = withRules([], '', `${'*a'.repeat(40)}b\n*.log\n${'x'.repeat(9_999)}\n`)
    expect(isIgnored(hostile, 'a'.repeat(250), 'file')).toBe(false)
    expect(isIgnored(hostile, 'a.log', 'file')).toBe(true)
  })

  it('never reads .git, in upper or lower case', () => {
    expect(['.git/hooks/pre-commit', 'a/.GIT/config', '.nod-trash/x', 'node_modules/a'].every(leadsToNeverTaken)).toBe(
      true,
    )
    expect(['.gitignore', 'src/git.ts', '.github/x'].some(leadsToNeverTaken)).toBe(false)
  })
})

describe('a scan', () => {
  it('follows the rules of each folder, and leaves out links, swap files and names that the workspace refuses', async () => {
    const disk = createFakeDisk('proj')
    for (const path of [
      'a.ts',
      '.git/config',
      'node_modules/x/y.js',
      'out/x.js',
      'sub/b.ts',
      'sub/c.tmp',
      'a.ts.crswap',
    ])
      disk.put(path, path)
    disk.put('.gitignore', 'out\n')
    disk.put('sub/.gitignore', '*.tmp\n')
    disk.put('b\u202Ec.ts', '')
    disk.putLink('link')
    const { files, skipped, ignored, over } = await scanFolder(disk.handle)
    expect(pathsOf(files)).toEqual(['.gitignore', 'a.ts', 'sub/.gitignore', 'sub/b.ts'])
    expect(skipped).toEqual([{ path: 'b\u202Ec.ts', why: 'name' }])
    expect({ ignored, over }).toEqual({ ignored: 5, over: null })
  })

  it('names the folders that hold nothing, and takes them along', async () => {
    const disk = createFakeDisk('proj')
    disk.put('a.ts', 'a')
    disk.put('out/x.js', 'x')
    disk.put('.gitignore', 'out\n')
    const logs = await disk.handle.getDirectoryHandle('logs', { create: true })
    await logs.getDirectoryHandle('old', { create: true })
    const scan = await scanFolder(disk.handle)
    expect(scan.empty).toEqual(['logs/old'])
    const vfs = createMemoryVfs({ now: () => 1 })
    const store = createMemoryFolderStore()
    const linked = await linkFolder(disk.handle, scan, { vfs, store, conversationId: 'c', newId: () => 'l' })
    expect(linked.ok).toBe(true)
    const tree = await vfs.tree('/proj')
    const folders = tree.ok ? tree.value.filter(({ kind }) => kind === 'directory').map(({ path }) => path) : []
    expect(folders).toEqual(['/proj/logs', '/proj/logs/old'])
  })

  it('takes one of two names that look alike, by its name on disk', async () => {
    const disk = createFakeDisk('proj')
    disk.put('e\u0301.txt', 'decomposed')
    disk.put('\u00e9.txt', 'composed')
    const { files, skipped } = await scanFolder(disk.handle)
    expect(files).toMatchObject([{ path: '\u00e9.txt', disk: 'e\u0301.txt' }])
    expect(skipped).toEqual([{ path: '\u00e9.txt', why: 'name' }])
  })

  it('stops at a limit, and names the files that are too large', async () => {
    const disk = createFakeDisk('proj')
    for (const path of ['a', 'b', 'c']) disk.put(path, '12345')
    const limits = { maxFiles: 100, maxTotalBytes: 1_000, maxFileBytes: 1_000 }
    const scan = (some: Partial<typeof limits>) => scanFolder(disk.handle, { limits: { ...limits, ...some } })
    expect((await scan({ maxFiles: 2 })).over).toBe('files')
    expect((await scan({ maxTotalBytes: 12 })).over).toBe('bytes')
    expect((await scan({ maxFileBytes: 4 })).skipped.map(({ why }) => why)).toEqual(['large', 'large', 'large'])
    expect((await scan({})).over).toBeNull()
  })

  it('keeps only the name of a large binary file', async () => {
    const disk = createFakeDisk('proj')
    disk.put('text.csv', 'x'.repeat(5_000_001))
    disk.put('data.bin', `\0${'x'.repeat(5_000_001)}`)
    const { files, skipped } = await scanFolder(disk.handle)
    expect(pathsOf(files)).toEqual(['text.csv'])
    expect(skipped).toEqual([{ path: 'data.bin', why: 'binary' }])
  })
})

it.each([
  ['con', 'reserved'],
  ['a/AUX.txt', 'reserved'],
  ['com1.log', 'reserved'],
  ['console.ts', null],
  ['a.', 'ending'],
  ['a /b', 'ending'],
  ['a:b', 'character'],
  ['readme.md', 'twin'],
  ['SRC/new.ts', 'twin'],
  ['src/new.ts', 'twin'],
  ['fine.md', null],
] as const)('the name %s: %s', (path, risk) => {
  expect(createNameCheck(['README.md', 'readme.md', 'SRC/new.ts', 'src/old.ts', 'src/new.ts', 'fine.md'])(path)).toBe(
    risk,
  )
})

describe('a linked folder', () => {
  it('is copied as one change in the history, and matches the disk', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'sub/b.ts': 'b' })
    expect(await folder.copy()).toEqual({ 'a.ts': 'a', 'sub/b.ts': 'b' })
    const sets = await folder.vfs.history.list()
    expect(sets.ok && sets.value).toHaveLength(1)
    await isClean(folder)
  })

  it('writes new, changed and deleted files, and keeps the deleted one in the trash', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'sub/b.ts': 'b', 'c.ts': 'c' })
    await folder.write('a.ts', 'a2')
    await folder.write('new/d.ts', 'd')
    await folder.remove('sub')
    const results = await writeAll(folder)
    expect(results.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['sub/b.ts', 'deleted'],
      ['a.ts', 'written'],
      ['new/d.ts', 'written'],
    ])
    expect(folder.disk.files()).toEqual({ [`${trash}/sub/b.ts`]: 'b', 'a.ts': 'a2', 'c.ts': 'c', 'new/d.ts': 'd' })
    expect(await folder.store.journal('l')).toBeNull()
    await isClean(folder)
  })

  it('copies changes from the disk as one change', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'sub/b.ts': 'b' })
    folder.disk.put('a.ts', 'a from disk')
    folder.disk.put('c.ts', 'c')
    folder.disk.remove('sub')
    const { incoming } = await folder.compare()
    expect(await takeIn(incoming, [], workOf(folder))).toEqual({ ok: true, files: 3, made: [] })
    expect(await folder.copy()).toEqual({ 'a.ts': 'a from disk', 'c.ts': 'c' })
    const sets = await folder.vfs.history.list()
    expect(sets.ok && sets.value).toHaveLength(2)
    await isClean(folder)
  })

  it('detects that both sides match after a sync that the tab did not finish', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'b.ts': 'b' })
    folder.disk.put('a.ts', 'a from disk')
    folder.disk.remove('b.ts')
    const { incoming } = await folder.compare()
    const store = { ...folder.store, update: () => Promise.reject(new Error('the tab is gone')) }
    await expect(takeIn(incoming, [], { ...workOf(folder), store })).rejects.toThrow('the tab is gone')
    const { agreed } = await folder.compare()
    expect([pathsOf(agreed.put), agreed.remove]).toEqual([['a.ts'], ['b.ts']])
    await isClean(folder)
  })

  it.each([
    ['mine', { 'a.ts': 'mine' }, { 'a.ts': 'mine' }],
    ['theirs', { 'a.ts': 'theirs' }, { 'a.ts': 'theirs' }],
    ['both', { 'a.ts': 'theirs', 'a 2.ts': 'mine' }, { 'a.ts': 'theirs', 'a 2.ts': 'mine' }],
  ] as const)('settles a conflict: keep %s', async (resolution, copy, disk) => {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    await folder.write('a.ts', 'mine')
    folder.disk.put('a.ts', 'theirs')
    const { conflicts, outgoing } = await folder.compare()
    expect([pathsOf(conflicts), outgoing]).toEqual([['a.ts'], []])
    await takeIn([], [[conflicts[0]!, resolution]], workOf(folder))
    expect(await folder.copy()).toEqual(copy)
    await writeAll(folder)
    expect(folder.disk.files()).toEqual(disk)
    await isClean(folder)
  })

  it.each([
    ['changed here, deleted on disk', 'mine', 'new'],
    ['changed here, deleted on disk', 'theirs', null],
    ['deleted here, changed on disk', 'mine', null],
    ['deleted here, changed on disk', 'theirs', 'new'],
  ] as const)('%s: keep %s', async (what, resolution, left) => {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    if (what.startsWith('changed')) {
      await folder.write('a.ts', 'new')
      folder.disk.remove('a.ts')
    } else {
      await folder.remove('a.ts')
      folder.disk.put('a.ts', 'new')
    }
    const { conflicts } = await folder.compare()
    await takeIn([], [[conflicts[0]!, resolution]], workOf(folder))
    await writeAll(folder)
    expect((await folder.copy())['a.ts'] ?? null).toBe(left)
    expect(folder.disk.files()['a.ts'] ?? null).toBe(left)
  })

  it('detects a change with the size and time of the old file before overwriting it', async () => {
    const folder = await linkedFolder({ 'a.ts': 'one' })
    await folder.write('a.ts', 'mine')
    const { modifiedAt } = (await folder.store.base('l'))[0]!
    folder.disk.put('a.ts', 'two')
    const handle = await folder.disk.handle.getFileHandle('a.ts')
    Object.assign(handle, { lastModified: modifiedAt })
    expect(pathsOf((await folder.compare()).conflicts)).toEqual(['a.ts'])
  })

  it('does not overwrite a file that the rules or a limit left out', async () => {
    const folder = await linkedFolder({ '.gitignore': '.env\n', '.env': 'secret' })
    await folder.write('.env', 'mine')
    const { conflicts, outgoing } = await folder.compare()
    expect([pathsOf(conflicts), outgoing]).toEqual([['.env'], []])
  })

  it('writes neither through a link nor into .git', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    folder.disk.putLink('out')
    for (const path of ['out', 'sub/x', '.git/hooks/pre-commit']) await folder.write(path, 'x')
    folder.disk.putLink('sub')
    const { outgoing, blocked } = await folder.compare()
    expect(outgoing).toEqual([])
    expect(blocked).toEqual([
      { path: '.git/hooks/pre-commit', why: 'never' },
      { path: 'out', why: 'other' },
      { path: 'sub/x', why: 'other' },
    ])
  })

  it('deletes nothing on disk if the whole copy is gone', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    await folder.vfs.remove('/proj')
    expect(await folder.compare()).toMatchObject({ isCopyGone: true, outgoing: [], incoming: [] })
  })

  it('restores the state before an undo with one more write', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a' })
    await folder.write('a.ts', 'changed')
    await writeAll(folder)
    const sets = await folder.vfs.history.list()
    await folder.vfs.history.setUndone([(sets.ok && sets.value[0]?.id) || 0], true)
    await writeAll(folder)
    expect(folder.disk.files()).toEqual({ 'a.ts': 'a' })
    await isClean(folder)
  })

  it('skips a file that another writer holds, and writes the rest', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'b.ts': 'b' })
    await folder.write('a.ts', 'a2')
    await folder.write('b.ts', 'b2')
    const other = await (await folder.disk.handle.getFileHandle('a.ts')).createWritable()
    expect(await writeAll(folder)).toEqual([
      { path: 'a.ts', outcome: 'busy' },
      { path: 'b.ts', outcome: 'written' },
    ])
    await other.abort()
    expect(folder.disk.files()).toEqual({ 'a.ts': 'a', 'b.ts': 'b2' })
  })

  it('reports after a crash which files were written, and continues', async () => {
    const folder = await linkedFolder({ 'a.ts': 'a', 'b.ts': 'b' })
    await folder.write('a.ts', 'a2')
    await folder.write('b.ts', 'b2')
    await folder.write('c.ts', 'c')
    const { outgoing } = await folder.compare()
    let closes = 0
    folder.disk.setStep((step) => {
      if (step === 'close' && (closes += 1) > 2) throw new Error('the tab is gone')
      if (closes > 2 && step !== 'close') throw new Error('the tab is gone')
    })
    const gone = { ...folder.store, update: folder.store.update.bind(folder.store) }
    let isGone = false
    gone.update = (link, update) => {
      isGone ||= closes > 2
      return isGone ? Promise.reject(new Error('the tab is gone')) : folder.store.update(link, update)
    }
    await expect(writeOut(outgoing, { ...workOf(folder), store: gone })).rejects.toThrow('the tab is gone')
    folder.disk.setStep(() => undefined)
    folder.disk.releaseWriters()
    const journal = await folder.store.journal('l')
    const state = await inspectJournal(journal!, createDisk(folder.disk.handle))
    expect([pathsOf(state.written), pathsOf(state.unwritten), state.unclear]).toEqual([['a.ts', 'b.ts'], ['c.ts'], []])
    await settleJournal(state, workOf(folder))
    expect(pathsOf((await folder.compare()).outgoing)).toEqual(['c.ts'])
    await writeAll(folder)
    expect(folder.disk.files()).toEqual({ 'a.ts': 'a2', 'b.ts': 'b2', 'c.ts': 'c' })
  })
})

it('stores links, bases and journals in a database, separately for each link', async () => {
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  const store = openFolderStore('nod:folders', new IDBFactory())
  const link = (id: string, conversationId: string): FolderLink =>
    ({
      id,
      conversationId,
      name: 'proj',
      root: '/proj',
      handle: { kind: 'directory', name: 'proj' },
    }) as unknown as FolderLink
  const file = (path: string) => ({ path, disk: path, size: 1, modifiedAt: 1, hash: 'h', version: 'v' })
  await store.add(link('1', 'c'), [file('a'), file('b')])
  await store.add(link('11', 'd'), [file('a')])
  const journal = { link: '1', at: 1, rows: [] }
  await store.update('1', { put: [file('c')], remove: ['a'], journal })
  expect([pathsOf(await store.base('1')), pathsOf(await store.base('11'))]).toEqual([['b', 'c'], ['a']])
  expect((await store.links('c')).map(({ id }) => id)).toEqual(['1'])
  expect(await store.journal('1')).toEqual(journal)
  await store.remove('1')
  expect([await store.links('c'), await store.base('1'), await store.journal('1')]).toEqual([[], [], null])
  expect(await store.base('11')).toHaveLength(1)
})
