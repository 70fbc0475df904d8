import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '../memory/memory-vfs'
import { changes, makeChange, snapshotText, treeText } from '../testing/random-changes'
import { type FileChange, type Vfs, failures } from '../vfs'
import { createPendingChanges } from './pending-changes'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (data: Uint8Array | null) => (data === null ? null : new TextDecoder().decode(data))
const text = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? textOf(read.value) : read.error.code
}
const write = (path: string, content: string): FileChange => ({ kind: 'write', path, data: bytes(content) })
const remove = (path: string): FileChange => ({ kind: 'remove', path })

async function start(files: Readonly<Record<string, string>>) {
  const base = createMemoryVfs()
  for (const [path, content] of Object.entries(files)) await base.write(path, bytes(content))
  return { base, pending: createPendingChanges(base) }
}

describe('random changes', () => {
  const limits = { maxTotalBytes: 160, maxFiles: 6, maxFileBytes: 60 }

  test('fail and succeed as on the files themselves when held back and then kept, byte for byte', () =>
    fc.assert(
      fc.asyncProperty(changes(8), changes(10), fc.boolean(), async (before, steps, limited) => {
        const given = limited ? limits : {}
        const [base, twin] = [createMemoryVfs({ limits: given }), createMemoryVfs({ limits: given })]
        for (const vfs of [base, twin]) for (const step of before) await makeChange(vfs, step)
        const untouched = await treeText(base)
        const pending = createPendingChanges(base, { limits: given })
        const [mine, real] = [await pending.files.apply(steps), await twin.apply(steps)]
        expect(mine.ok || mine.error).toEqual(real.ok || real.error)
        expect(await treeText(base)).toBe(untouched)
        expect(pending.changes().length === 0).toBe((await treeText(twin)) === untouched)
        expect(await pending.commit()).toMatchObject({ ok: true })
        expect(await treeText(base)).toBe(await treeText(twin))
        expect(await base.usage()).toMatchObject({ ...(await twin.usage()) })
      }),
      { numRuns: 300 },
    ))
})

describe('pending changes', () => {
  test('are listed as created, changed or deleted, folders too, without writes that change nothing', async () => {
    const { pending } = await start({ '/same': 'same', '/a': 'a', '/gone': 'gone' })
    await pending.files.apply([write('/same', 'same'), write('/a', 'aa'), write('/d/new', 'new'), remove('/gone')])
    expect(pending.changes()).toEqual([
      { path: '/a', change: 'changed', kind: 'file', size: 2 },
      { path: '/d', change: 'created', kind: 'directory', size: 0 },
      { path: '/d/new', change: 'created', kind: 'file', size: 3 },
      { path: '/gone', change: 'deleted', kind: 'file', size: 0 },
    ])
    expect(await pending.texts('/a')).toEqual({ before: 'a', after: 'aa' })
    expect(await pending.texts('/gone')).toEqual({ before: 'gone', after: null })
    expect(await pending.texts('/d')).toEqual({ before: null, after: null })
    expect(await pending.texts('/../x')).toEqual({ before: null, after: null })
  })

  test('are compared as text: no binary, broken or large files', async () => {
    const { pending } = await start({ '/large': 'x'.repeat(400_001) })
    await pending.files.apply([
      { kind: 'write', path: '/zero', data: Uint8Array.of(0, 1) },
      { kind: 'write', path: '/broken', data: Uint8Array.of(0xff, 0xfe, 0x41) },
      write('/large', 'small'),
    ])
    expect(await pending.texts('/zero')).toEqual({ before: null, after: null })
    expect(await pending.texts('/broken')).toEqual({ before: null, after: null })
    expect(await pending.texts('/large')).toEqual({ before: null, after: 'small' })
  })

  test('are empty if the code changed nothing', async () => {
    const { base, pending } = await start({ '/a': 'a' })
    let read = 0
    base.snapshot = async () => {
      read++
      throw new Error('not needed')
    }
    expect(pending.changes()).toEqual([])
    expect(await pending.commit()).toMatchObject({ ok: true })
    expect(read).toBe(0)
  })

  test('are kept as one record of the view that they were made for', async () => {
    const { base } = await start({ '/a': 'one', '/b': 'two' })
    const pending = createPendingChanges(base.recording({ kind: 'user', action: 'tested', messageId: null }))
    await pending.files.apply([write('/a', 'two'), write('/b', 'one')])
    await pending.commit()
    const listed = await base.history.list()
    expect(listed.ok && listed.value.map((set) => set.changes.map(({ path }) => path))).toEqual([['/a', '/b']])
  })

  test('are all or nothing: if a step fails, none is applied', async () => {
    const { base, pending } = await start({ '/a': 'one' })
    expect(await pending.files.apply([write('/a', 'two'), remove('/nowhere')])).toMatchObject({
      ok: false,
      error: { code: 'ENOENT' },
    })
    expect(pending.changes()).toEqual([])
    await pending.commit()
    expect(await text(base, '/a')).toBe('one')
  })
})

describe('the files that the code sees', () => {
  test('are a snapshot of one moment, whatever changes meanwhile', async () => {
    const { base, pending } = await start({ '/a': 'one' })
    expect(await snapshotText(pending.files)).toBe('/a=one')
    await base.write('/a', bytes('newer'))
    await base.write('/b', bytes('b'))
    expect(await snapshotText(pending.files)).toBe('/a=one')
  })

  test('reject the same steps as the files themselves', async () => {
    const { base } = await start({})
    base.snapshot = async () => failures.unreadable()
    const { files } = createPendingChanges(base)
    for (const answer of [await files.snapshot(), await files.apply([write('/a', 'x')])]) {
      expect(answer).toEqual(failures.unreadable())
    }
  })
})

describe('other changes made meanwhile', () => {
  test('are never overwritten', async () => {
    const { base, pending } = await start({ '/a': 'one', '/b': 'two' })
    await pending.files.apply([write('/a', 'code'), write('/b', 'code')])
    await base.write('/a', bytes('user'))
    expect(await pending.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/a' } })
    expect([await text(base, '/a'), await text(base, '/b')]).toEqual(['user', 'two'])
  })

  test('count from the moment that the code saw, even before it submits anything', async () => {
    const { base, pending } = await start({ '/a': 'one' })
    await pending.files.snapshot()
    await base.write('/a', bytes('user'))
    await pending.files.apply([write('/a', 'code')])
    expect(await pending.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/a' } })
  })

  test('are not deleted with their folder, nor replaced by new files', async () => {
    const { base, pending } = await start({ '/d/x': 'x' })
    await pending.files.apply([remove('/d')])
    await base.write('/d/mine', bytes('mine'))
    expect(await pending.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/d/mine' } })
    const other = createPendingChanges(base)
    await other.files.apply([write('/new', 'code')])
    await base.write('/new', bytes('user'))
    expect(await other.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/new' } })
    expect(await text(base, '/new')).toBe('user')
  })

  test('are kept if unrelated, and are no conflict if they are the same', async () => {
    const { base, pending } = await start({ '/a': 'one', '/b': 'two', '/c': 'c', '/d/x': 'x', '/d/y': 'y' })
    await pending.files.apply([remove('/a'), remove('/d'), write('/n', 'n')])
    await base.remove('/a')
    await base.remove('/d/x')
    await base.write('/b', bytes('user'))
    await base.remove('/c')
    expect(await pending.commit()).toMatchObject({ ok: true })
    expect(await treeText(base)).toBe('/b=user\n/n=n')
  })
})
