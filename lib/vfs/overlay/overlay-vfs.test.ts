import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { VfsLimits } from '../limits'
import { createMemoryVfs } from '../memory/memory-vfs'
import { changes, makeChange, snapshotText, treeText } from '../testing/random-changes'
import type { Vfs } from '../vfs'
import { vfsContract } from '../vfs.contract'
import { createOverlayVfs } from './overlay-vfs'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : read.error.code
}

describe('the file system contract, on a layer', () => {
  for (const contractCase of vfsContract) {
    test(contractCase.name, async () => {
      let last: Vfs | null = null
      const layer = (limits: Partial<VfsLimits>) => {
        const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
        return createOverlayVfs(createMemoryVfs({ limits: given }), { limits: given })
      }
      await contractCase.run({
        open: async (limits = {}) => (last = layer(limits)),
        reopen: async () => last ?? layer({}),
      })
      expect(last).not.toBeNull()
    })
  }
})

describe('random changes', () => {
  const limits = { maxTotalBytes: 160, maxFiles: 6, maxFileBytes: 60 }

  test('on a layer that is committed are the same changes on the base, answer by answer and byte for byte', () =>
    fc.assert(
      fc.asyncProperty(changes(8), changes(16), fc.boolean(), async (before, steps, limited) => {
        const given = limited ? limits : {}
        const [base, twin] = [createMemoryVfs({ limits: given }), createMemoryVfs({ limits: given })]
        for (const vfs of [base, twin]) for (const step of before) await makeChange(vfs, step)
        const untouched = await treeText(base)
        const layer = createOverlayVfs(base, { limits: given })
        for (const step of steps) expect(await makeChange(layer, step)).toBe(await makeChange(twin, step))
        expect(await treeText(base)).toBe(untouched)
        expect(await treeText(layer)).toBe(await treeText(twin))
        expect(await snapshotText(layer)).toBe(await treeText(twin))
        const same = (await treeText(layer)) === untouched
        expect(layer.changes().length === 0).toBe(same)
        const { usedBytes, files } = await layer.usage()
        expect(await layer.commit()).toEqual({ ok: true, value: null })
        expect(await treeText(base)).toBe(await treeText(twin))
        expect(await base.usage()).toMatchObject({ usedBytes, files })
      }),
      { numRuns: 250 },
    ))

  test('applied in one go on a layer fail and work as on the base', () =>
    fc.assert(
      fc.asyncProperty(changes(8), changes(6), async (before, steps) => {
        const [base, twin] = [createMemoryVfs({ limits }), createMemoryVfs({ limits })]
        for (const vfs of [base, twin]) for (const step of before) await makeChange(vfs, step)
        const layer = createOverlayVfs(base, { limits })
        expect(await layer.apply(steps)).toEqual(await twin.apply(steps))
        await layer.commit()
        expect(await treeText(base)).toBe(await treeText(twin))
      }),
      { numRuns: 120 },
    ))
})

describe('a layer', () => {
  async function start(files: Readonly<Record<string, string>>) {
    const base = createMemoryVfs()
    for (const [path, content] of Object.entries(files)) await base.write(path, bytes(content))
    return { base, layer: createOverlayVfs(base) }
  }

  test('says what changed: created, changed, deleted, folders too, and no write that changes nothing', async () => {
    const { layer } = await start({ '/same': 'same', '/a': 'a', '/gone': 'gone' })
    await layer.write('/same', bytes('else'))
    await layer.write('/same', bytes('same'))
    await layer.write('/a', bytes('aa'))
    await layer.write('/d/new', bytes('new'))
    await layer.remove('/gone')
    expect(layer.changes()).toEqual([
      { path: '/a', change: 'changed', kind: 'file', size: 2 },
      { path: '/d', change: 'created', kind: 'directory', size: 0 },
      { path: '/d/new', change: 'created', kind: 'file', size: 3 },
      { path: '/gone', change: 'deleted', kind: 'file', size: 0 },
    ])
    expect(await layer.texts('/a')).toEqual({ before: 'a', after: 'aa' })
    expect(await layer.texts('/gone')).toEqual({ before: 'gone', after: null })
    expect(await layer.texts('/d')).toEqual({ before: null, after: null })
    expect(await layer.texts('/../x')).toEqual({ before: null, after: null })
  })

  test('compares no bytes, no broken text and nothing large', async () => {
    const { layer } = await start({ '/large': 'x'.repeat(400_001) })
    await layer.write('/zero', Uint8Array.of(0, 1))
    await layer.write('/broken', Uint8Array.of(0xff, 0xfe, 0x41))
    await layer.write('/large', bytes('small'))
    expect(await layer.texts('/zero')).toEqual({ before: null, after: null })
    expect(await layer.texts('/broken')).toEqual({ before: null, after: null })
    expect(await layer.texts('/large')).toEqual({ before: null, after: 'small' })
  })

  test('moves what is there instead of writing it again, also when files change places', async () => {
    const { base, layer } = await start({ '/a': 'one', '/b': 'two', '/d/x': 'x' })
    await layer.move('/a', '/t')
    await layer.move('/b', '/a')
    await layer.move('/t', '/b')
    await layer.move('/d', '/e')
    const steps = await layer.steps()
    expect(steps.ok && steps.value.some(({ kind }) => kind === 'write')).toBe(false)
    await layer.commit()
    expect([await text(base, '/a'), await text(base, '/b'), await text(base, '/e/x')]).toEqual(['two', 'one', 'x'])
  })

  test('is committed as one record of the view that it is committed to', async () => {
    const { base, layer } = await start({ '/a': 'one', '/b': 'two' })
    await layer.move('/a', '/t')
    await layer.move('/b', '/a')
    await layer.move('/t', '/b')
    await layer.commit(base.recording({ kind: 'user', action: 'tested', messageId: null }))
    const listed = await base.history.list()
    expect(listed.ok && listed.value.map((set) => set.changes.map(({ path }) => path))).toEqual([['/a', '/b']])
  })

  test('never writes over what changed in the base meanwhile', async () => {
    const { base, layer } = await start({ '/a': 'one', '/b': 'two', '/d/x': 'x' })
    await layer.write('/a', bytes('layer'))
    await base.write('/a', bytes('user'))
    expect(await layer.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/a' } })
    expect([await text(base, '/a'), await text(layer, '/a')]).toEqual(['user', 'layer'])
  })

  test('never deletes a folder in which something new stands by now, nor creates over what was created', async () => {
    const { base, layer } = await start({ '/d/x': 'x' })
    await layer.remove('/d')
    await base.write('/d/mine', bytes('mine'))
    expect(await layer.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/d/mine' } })
    const other = createOverlayVfs(base)
    await other.write('/new', bytes('layer'))
    await base.write('/new', bytes('user'))
    expect(await other.commit()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/new' } })
    expect(await text(base, '/new')).toBe('user')
  })

  test('lets other changes of the base be, and takes the same change as no conflict', async () => {
    const { base, layer } = await start({ '/a': 'one', '/b': 'two', '/c': 'c' })
    await layer.remove('/a')
    await layer.write('/n', bytes('n'))
    await base.remove('/a')
    await base.write('/b', bytes('user'))
    await base.remove('/c')
    expect(await layer.commit()).toEqual({ ok: true, value: null })
    expect(await treeText(base)).toBe('/b=user\n/n=n')
  })

  test('reads what the base holds now where it changed nothing itself, and may then change that', async () => {
    const { base, layer } = await start({ '/a': 'one' })
    expect(await text(layer, '/a')).toBe('one')
    await base.write('/a', bytes('newer'))
    expect(await text(layer, '/a')).toBe('newer')
    await layer.write('/a', bytes('newer still'))
    expect(await layer.commit()).toEqual({ ok: true, value: null })
    expect(await text(base, '/a')).toBe('newer still')
  })

  test('passes on what reads the history and refuses what moves it', async () => {
    const { base, layer } = await start({})
    await base.recording({ kind: 'user', action: 'edited', messageId: null }).write('/a', bytes('a'))
    expect(await layer.history.list()).toEqual(await base.history.list())
    expect(await layer.history.setUndone([1], true)).toMatchObject({ ok: false, error: { code: 'EBUSY' } })
    expect(await layer.history.follow([])).toMatchObject({ ok: false, error: { code: 'EBUSY' } })
    expect(await layer.history.forget()).toMatchObject({ ok: false, error: { code: 'EBUSY' } })
    expect(layer.recording(null)).toBe(layer)
  })

  test('takes what is moved to where the same stood for no change', async () => {
    const { layer } = await start({ '/d/e': 'one', '/d/f': 'one' })
    await layer.write('/x', bytes('one'))
    await layer.move('/x', '/d/e')
    expect(layer.changes()).toEqual([])
    // Also of the base's own: the other one is all that changed.
    await layer.move('/d/f', '/d/e')
    expect(layer.changes()).toMatchObject([{ path: '/d/f', change: 'deleted' }])
    await layer.write('/d/f', bytes('one'))
    expect(layer.changes()).toEqual([])
    expect(await layer.commit()).toMatchObject({ ok: true })
  })

  test('does not pile up what was written over', async () => {
    const { layer } = await start({})
    const large = new Uint8Array(2_000_000)
    for (let at = 0; at < 40; at++) {
      large[0] = at
      await layer.write('/log', large)
    }
    expect(layer.changes()).toEqual([{ path: '/log', change: 'created', kind: 'file', size: 2_000_000 }])
    expect((await layer.read('/log')).ok).toBe(true)
  })
})

describe('a snapshot of a layer', () => {
  async function changedBelow() {
    const base = createMemoryVfs()
    for (const name of ['/a', '/b', '/moved']) await base.write(name, bytes(`old ${name}`))
    const layer = createOverlayVfs(base)
    await layer.write('/own', bytes('own'))
    return { base, layer }
  }

  test('holds its own changes over the base, and what else changed in the base meanwhile', async () => {
    const { base, layer } = await changedBelow()
    await layer.move('/moved', '/there')
    await base.write('/a', bytes('new'))
    expect(await snapshotText(layer)).toBe('/a=new\n/b=old /b\n/own=own\n/there=old /moved')
    expect(await treeText(layer)).toBe(await snapshotText(layer))
  })

  test('fails where the base no longer has what the layer shows', async () => {
    const { base, layer } = await changedBelow()
    await layer.move('/moved', '/there')
    await base.write('/moved', bytes('other'))
    expect(await layer.snapshot()).toMatchObject({ ok: false, error: { code: 'EBUSY', path: '/there' } })
  })

  test('tells nobody of a change', async () => {
    const { layer } = await changedBelow()
    let heard = 0
    layer.watch(() => heard++)
    await layer.snapshot()
    expect(heard).toBe(0)
  })
})
