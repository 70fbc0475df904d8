import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { describe, expect, test, vi } from 'vitest'
import { deleteCopy, deleteVfs } from '../indexeddb/database'
import { createIndexedDbVfs } from '../indexeddb/indexeddb-vfs'
import { createMemoryVfs } from '../memory/memory-vfs'
import { copyLimits, type Vfs } from '../vfs'
import { createFilesCopy } from './files-copy'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const bytes = (text: string) => new TextEncoder().encode(text)
const call = (slot: number, messageId = 'm1') =>
  ({ kind: 'call', messageId, slot, attempt: 1, tool: 'write_file' }) as const
const byHand = { kind: 'user', action: 'edited', messageId: null } as const

/** Every file with its text. */
async function filesOf(vfs: Vfs): Promise<Record<string, string>> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const found: Record<string, string> = {}
  for (const { path, kind } of tree.value) {
    const read = kind === 'file' ? await vfs.read(path) : null
    found[path] = read?.ok ? new TextDecoder().decode(read.value) : '/'
  }
  return found
}

interface World {
  readonly base: Vfs
  /** The copy as the page sees it after a reload. */
  readonly open: (limits?: object) => Vfs
}

function inBrowser(): World {
  const indexedDB = new IDBFactory()
  const ports = { conversationId: 'c', indexedDB, now: () => 0, announce: () => {}, watch: () => () => {} }
  return {
    base: createIndexedDbVfs(ports),
    open: (limits) =>
      createIndexedDbVfs({ ...ports, copyId: 'g1', ...(limits && { limits: { ...copyLimits, ...limits } }) }),
  }
}

function inMemory(): World {
  const base = createMemoryVfs()
  let copy: Vfs | null = null
  return { base, open: (limits) => (copy ??= createMemoryVfs({ copyOf: base, limits: { ...limits } })) }
}

describe.each([
  ['the browser’s storage', inBrowser],
  ['memory', inMemory],
])('a copy in %s', (_where, world) => {
  async function begun() {
    const made = world()
    await made.base.write('/src/a.js', bytes('let a = 1'))
    await made.base.write('/notes.md', bytes('old note'))
    await made.base.write('/data.csv', bytes('1,2'))
    const copy = createFilesCopy(made.base, made.open())
    const catchUp = (ids = ['m1', 'm2']) => copy.catchUp(ids)
    await catchUp()
    return { ...made, copy, catchUp, before: await filesOf(made.base) }
  }
  const rowsOf = async (copy: ReturnType<typeof createFilesCopy>) => {
    const changes = await copy.changes()
    if (!changes.ok) throw new Error(changes.error.message)
    return changes.value
  }

  test('shows its own changes, leaves the files alone, and keeps exactly what it showed', async () => {
    const { base, copy, before } = await begun()
    await copy.files.recording(call(0)).write('/src/a.js', bytes('let a = 2'))
    await copy.files.recording(call(1)).write('/src/b.js', bytes('new'))
    await copy.files.recording(call(2)).move('/notes.md', '/docs/notes.md')
    await copy.files.recording(call(3)).remove('/data.csv')
    expect(await filesOf(base)).toEqual(before)
    const shown = await filesOf(copy.files)
    const { rows } = await rowsOf(copy)
    expect(rows.map(({ path, change, from, by }) => [path, change, from, by.slot])).toEqual([
      ['/data.csv', 'deleted', '', 3],
      ['/docs/notes.md', 'moved', '/notes.md', 2],
      ['/src/a.js', 'changed', '', 0],
      ['/src/b.js', 'created', '', 1],
    ])
    expect(await copy.keep(null)).toEqual({ ok: true, value: null })
    expect(await filesOf(base)).toEqual(shown)
    const kept = await base.history.list()
    expect(kept.ok && kept.value.map(({ origin }) => origin)).toEqual([call(3), call(2), call(1), call(0)])
    expect(await rowsOf(copy)).toMatchObject({ rows: [], inFiles: 4 })
    await copy.keep(null)
    expect(await base.history.list()).toEqual(kept)
    await base.history.setUndone(kept.ok ? kept.value.map(({ id }) => id) : [], true)
    expect(await filesOf(base)).toEqual(before)
  })

  test('is restored after a reload, with its changes and their base', async () => {
    const { base, copy, open } = await begun()
    await copy.files.recording(call(0)).write('/src/a.js', bytes('let a = 2'))
    const again = createFilesCopy(base, open())
    await again.catchUp(['m1'])
    expect(await filesOf(again.files)).toMatchObject({ '/src/a.js': 'let a = 2', '/notes.md': 'old note' })
    const { rows } = await rowsOf(again)
    const [row] = rows
    if (!row) throw new Error('no row')
    const { before, after } = await again.sides(row)
    expect([before, after].map((one) => one && new TextDecoder().decode(one))).toEqual(['let a = 1', 'let a = 2'])
    const taken = await again.files.snapshot()
    expect(taken.ok && taken.value.entries.map(({ path }) => path)).toContain('/src/a.js')
  })

  test('picks up what a user changes in the files, and names the edited paths', async () => {
    const { base, copy, catchUp } = await begun()
    await copy.files.recording(call(0)).write('/src/a.js', bytes('mine'))
    await base.recording(byHand).write('/src/a.js', bytes('by hand'))
    await base.recording(byHand).write('/notes.md', bytes('new note'))
    await base.recording(byHand).write('/upload.txt', bytes('uploaded'))
    await catchUp()
    expect(await filesOf(copy.files)).toMatchObject({
      '/src/a.js': 'mine',
      '/notes.md': 'new note',
      '/upload.txt': 'uploaded',
    })
    const { rows, editedBeside } = await rowsOf(copy)
    expect(rows.map(({ path, isStale }) => [path, isStale])).toEqual([['/src/a.js', true]])
    expect(editedBeside).toEqual(['/notes.md', '/src/a.js'])
    const refused = await copy.keep(null)
    expect(refused.ok ? null : [refused.error.code, refused.error.path]).toEqual(['EBUSY', '/src/a.js'])
    expect(await filesOf(base)).toMatchObject({ '/src/a.js': 'by hand' })
    expect(await copy.keep(null, true)).toEqual({ ok: true, value: null })
    expect(await filesOf(base)).toMatchObject({ '/src/a.js': 'mine', '/notes.md': 'new note' })
  })

  test('takes over one edit, many at once and a removal, as often as they come', async () => {
    const { base, copy, catchUp } = await begun()
    await copy.files.recording(call(0)).write('/src/a.js', bytes('mine'))
    const many = Array.from({ length: 1_001 }, (_, n) => `/many/${n}`)
    const edits = [
      () => base.recording(byHand).write('/notes.md', bytes('1')),
      () => base.recording(byHand).apply(many.map((path) => ({ kind: 'write', path, data: bytes('x') }))),
      () => base.recording(byHand).write('/many/7', bytes('2')),
      () => base.recording(byHand).remove('/many'),
      () => base.recording(byHand).remove('/notes.md'),
    ]
    for (const edit of edits) {
      await edit()
      await catchUp()
      await catchUp()
      const [there, here] = await Promise.all([base.tree('/'), copy.files.tree('/')])
      const others = (of: typeof there) =>
        of.ok && of.value.filter(({ path }) => path !== '/src/a.js').map(({ path, version }) => [path, version])
      expect(others(here)).toEqual(others(there))
    }
    expect((await rowsOf(copy)).editedBeside).toEqual(['/notes.md'])
  })

  test('is empty, and has its root, after a call deleted everything', async () => {
    const { copy, catchUp } = await begun()
    for (const path of ['/src', '/notes.md', '/data.csv']) await copy.files.recording(call(0)).remove(path)
    await catchUp()
    expect(await filesOf(copy.files)).toEqual({})
    await copy.files.recording(call(1)).write('/new', bytes('1'))
    expect(await filesOf(copy.files)).toEqual({ '/new': '1' })
  })

  test('takes over an edit that a call of another branch was in the way of', async () => {
    const { base, copy, catchUp } = await begun()
    await copy.files.recording(call(0, 'm2')).write('/plan/one', bytes('1'))
    await base.recording(byHand).write('/plan', bytes('a file'))
    await catchUp(['m1', 'm2'])
    expect(await filesOf(copy.files)).toMatchObject({ '/plan': '/', '/plan/one': '1' })
    await catchUp(['m1'])
    await catchUp(['m1'])
    expect((await rowsOf(copy)).rows).toEqual([])
  })

  test('keeps some of the files, each with the folders it needs and no others', async () => {
    const { base, copy, before } = await begun()
    await copy.files.recording(call(0)).write('/new/one', bytes('1'))
    await copy.files.recording(call(0)).write('/new/deep/two', bytes('2'))
    await copy.files.recording(call(1)).remove('/src')
    await copy.files.recording(call(1)).makeDirectory('/empty')
    const { rows } = await rowsOf(copy)
    expect(rows.map(({ path }) => path)).toEqual(['/empty', '/new/deep/two', '/new/one', '/src/a.js'])
    await copy.keep(new Set(['/new/one', '/src/a.js']))
    const { '/src': _folder, '/src/a.js': _file, ...rest } = before
    expect(await filesOf(base)).toEqual({ ...rest, '/new': '/', '/new/one': '1' })
  })

  test('keeps a file that became a folder together with its contents', async () => {
    const { copy } = await begun()
    await copy.files.recording(call(0)).remove('/notes.md')
    await copy.files.recording(call(0)).write('/notes.md/part', bytes('x'))
    const { rows } = await rowsOf(copy)
    expect(rows.map(({ path, group }) => [path, group])).toEqual([
      ['/notes.md', rows[0]?.group],
      ['/notes.md/part', rows[0]?.group],
    ])
  })

  test('leaves out the calls of another branch', async () => {
    const { base, copy, catchUp } = await begun()
    await copy.files.recording(call(0, 'm1')).write('/one', bytes('1'))
    await copy.files.recording(call(0, 'm2')).write('/two', bytes('2'))
    await catchUp(['m1'])
    expect((await rowsOf(copy)).rows.map(({ path }) => path)).toEqual(['/one'])
    await copy.keep(null)
    expect((await base.stat('/two')).ok).toBe(false)
  })

  test('keeps results that were too long, and does not show them as changes', async () => {
    const { base, copy } = await begun()
    await copy.files.recording(call(0)).write('/.nod/results/read_file-1.txt', bytes('long'))
    await copy.files.recording(call(0)).write('/kept', bytes('1'))
    await copy.files.recording(call(1)).write('/left', bytes('1'))
    expect((await rowsOf(copy)).rows.map(({ path }) => path)).toEqual(['/kept', '/left'])
    await copy.keep(new Set(['/kept']))
    expect(Object.keys(await filesOf(base))).toContain('/.nod/results/read_file-1.txt')
  })

  test('never forgets a change: it refuses changes over the limit', async () => {
    const { base, open } = world()
    const full = open({ copy: { maxSets: 2, maxBytes: 10 }, maxHistorySets: 1 })
    const copy = createFilesCopy(base, full)
    await copy.files.recording(call(0)).write('/a', bytes('12345'))
    await copy.files.recording(call(1)).write('/b', bytes('12345'))
    const third = await copy.files.recording(call(2)).write('/c', bytes(''))
    const larger = await copy.files.recording(call(1)).write('/b', bytes('123456'))
    expect([third, larger].map((one) => !one.ok && one.error.code)).toEqual(['EDQUOT', 'EDQUOT'])
    expect((await rowsOf(copy)).rows.map(({ path }) => path)).toEqual(['/a', '/b'])
  })
})

test('opening a copy reads no files; it begins with them as they are at its first use', async () => {
  const { base, open } = inBrowser()
  await base.write('/a', bytes('a'))
  const reads = vi.spyOn(IDBObjectStore.prototype, 'get')
  const copy = createFilesCopy(base, open())
  await copy.catchUp(['m1'])
  expect(await copy.changes()).toEqual({ ok: true, value: { rows: [], editedBeside: [], inFiles: 0 } })
  expect(reads).not.toHaveBeenCalled()
  reads.mockRestore()
  await base.recording(byHand).write('/a', bytes('before any use'))
  await copy.catchUp(['m1'])
  expect(await filesOf(copy.files)).toEqual({ '/a': 'before any use' })
  // From now on, a call may have read it.
  await base.recording(byHand).write('/a', bytes('after it'))
  await copy.catchUp(['m1'])
  expect(await filesOf(copy.files)).toEqual({ '/a': 'after it' })
  expect(await copy.changes()).toMatchObject({ value: { editedBeside: ['/a'] } })
})

test('two tabs of one browser share one copy', async () => {
  const { base, open } = inBrowser()
  await base.write('/a', bytes('a'))
  const [one, two] = [createFilesCopy(base, open()), createFilesCopy(base, open())]
  await Promise.all([one.catchUp([]), two.catchUp([])])
  await one.files.recording(call(0)).write('/one', bytes('1'))
  await two.files.recording(call(1)).write('/two', bytes('2'))
  const shown = { '/a': 'a', '/one': '1', '/two': '2' }
  expect([await filesOf(one.files), await filesOf(two.files)]).toEqual([shown, shown])
  await Promise.all([one.keep(null), two.keep(null)])
  expect(await filesOf(base)).toEqual(shown)
})

test('a copy is deleted alone, or with the files of its chat', async () => {
  const indexedDB = new IDBFactory()
  const ports = { indexedDB, now: () => 0, announce: () => {}, watch: () => () => {} }
  const open = (conversationId: string, copyId?: string) =>
    createIndexedDbVfs({ conversationId, ...(copyId !== undefined && { copyId }), ...ports })
  for (const id of ['c', 'c2']) {
    await open(id).write('/a', bytes('a'))
    await open(id, 'g1').recording(call(0)).write('/b', bytes('b'))
  }
  await deleteCopy('c', 'g1', { indexedDB })
  expect(await filesOf(open('c'))).toEqual({ '/a': 'a' })
  await deleteVfs('c2', { indexedDB })
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['nod-files-c'])
})

test('moves a copy from memory to the browser’s storage, where it can be kept as before', async () => {
  const [temporary, stored] = [inMemory(), inBrowser()]
  for (const { base } of [temporary, stored]) {
    await base.write('/a.md', bytes('old'))
    await base.write('/b.md', bytes('b'))
  }
  const copy = createFilesCopy(temporary.base, temporary.open())
  await copy.files.recording(call(0)).write('/a.md', bytes('new'))
  await copy.files.recording(call(1)).move('/b.md', '/c/b.md')
  await copy.files.recording(call(2, 'm2')).write('/c/d.md', bytes('d'))
  const shown = await copy.changes()
  expect(await copy.moveTo(stored.open())).toEqual({ ok: true, value: null })
  const there = createFilesCopy(stored.base, stored.open())
  await there.catchUp(['m1', 'm2'])
  expect(await there.changes()).toEqual(shown)
  expect(await filesOf(stored.base)).toEqual({ '/a.md': 'old', '/b.md': 'b' })
  expect(await there.keep(null)).toEqual({ ok: true, value: null })
  expect(await filesOf(stored.base)).toEqual(await filesOf(copy.files))
})
