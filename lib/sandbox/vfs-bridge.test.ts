import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { noFiles, readOnlyVfs } from '@/lib/vfs/read-only/read-only-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { RunSnapshot } from './frame/protocol'
import { createVfsBridge } from './vfs-bridge'

const text = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : read.error.code
}

test('knows its two operations, by their own names', async () => {
  const bridge = createVfsBridge(createMemoryVfs())
  for (const op of ['constructor', '__proto__', 'toString', 'read', 'write', 'rm', 'stat', 'apply', 'usage', '']) {
    expect(await bridge.call(op, ['/'])).toMatchObject({ ok: false, code: 'ENOSYS' })
  }
})

test('rejects changes that are not a list and a Blob', async () => {
  for (const args of [[], ['[]'], ['[]', 'x'], [new Blob(['[]']), new Blob()]]) {
    expect(await createVfsBridge(createMemoryVfs()).call('commit', args)).toMatchObject({ code: 'EINVAL' })
  }
})

test('answers with a message if the files can’t be reached', async () => {
  const broken = { ...noFiles, snapshot: () => Promise.reject(new Error('gone')) }
  expect(await createVfsBridge(broken).call('snapshot', [])).toMatchObject({ ok: false, code: 'EIO' })
})

test('starts nothing after closing', async () => {
  const vfs = createMemoryVfs()
  const bridge = createVfsBridge(vfs)
  bridge.close()
  const write = JSON.stringify([{ kind: 'write', path: '/a', at: 0, size: 1 }])
  expect(await bridge.call('commit', [write, new Blob(['x'])])).toMatchObject({ code: 'ECANCELED' })
  expect(await bridge.call('snapshot', [])).toMatchObject({ code: 'ECANCELED' })
  expect(await text(vfs, '/a')).toBe('ENOENT')
})

describe('a snapshot', () => {
  const snapshotOf = async (vfs: Vfs) => {
    const answer = await createVfsBridge(vfs).call('snapshot', [])
    if (!answer.ok) throw new Error(answer.message)
    return answer.value as RunSnapshot
  }

  test('contains all files, whether they can be changed, and their limits', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/d/a', new TextEncoder().encode('inside'))
    const { entries, places, blobs, access, limits } = await snapshotOf(vfs)
    expect(entries.map(({ path }) => path)).toEqual(['/d', '/d/a'])
    const [bundle = -1, from = 0] = places[1] ?? []
    expect(await blobs[bundle]?.slice(from, from + 6).text()).toBe('inside')
    expect(access).toBe('write')
    expect(limits).toEqual({
      maxFileBytes: 50_000_000,
      maxFiles: 20_000,
      maxTotalBytes: (await vfs.usage()).limitBytes,
    })
  })

  test('is the same one however often a run requests it', async () => {
    const vfs = createMemoryVfs()
    const bridge = createVfsBridge(vfs)
    const first = await bridge.call('snapshot', [])
    await vfs.write('/later', new Uint8Array(1))
    expect(await bridge.call('snapshot', [])).toBe(first)
  })

  test('of a read-only view says so', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a', new Uint8Array(1))
    expect(await snapshotOf(readOnlyVfs(vfs))).toMatchObject({ access: 'read', entries: [{ path: '/a' }] })
  })

  test('without files is empty, and says that there is no access', async () => {
    expect(await snapshotOf(noFiles)).toMatchObject({ access: 'none', entries: [], blobs: [] })
  })
})

describe('the changes of a run', () => {
  const list = (...steps: unknown[]) => JSON.stringify(steps)

  test('are accepted once', async () => {
    const vfs = createMemoryVfs()
    const bridge = createVfsBridge(vfs)
    const write = list({ kind: 'write', path: '/a', at: 0, size: 1 })
    expect(await bridge.call('commit', [write, new Blob(['x'])])).toEqual({ ok: true, value: null })
    expect(await bridge.call('commit', [list({ kind: 'remove', path: '/a' }), new Blob()])).toMatchObject({
      code: 'ECANCELED',
    })
    expect(await text(vfs, '/a')).toBe('x')
  })

  test('are ignored if the run was stopped before, also while sources are being read', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a', new TextEncoder().encode('x'))
    const bridge = createVfsBridge({
      ...vfs,
      async snapshot() {
        const taken = await vfs.snapshot()
        bridge.close()
        return taken
      },
    })
    const copy = list({ kind: 'copyOf', path: '/b', from: '/a' })
    expect(await bridge.call('commit', [copy, new Blob()])).toMatchObject({ code: 'ECANCELED' })
    expect(await text(vfs, '/b')).toBe('ENOENT')
  })

  test.each([
    ['read only', (vfs: Vfs) => readOnlyVfs(vfs), 'EROFS'],
    ['out of reach', () => noFiles, 'EACCES'],
  ])('are rejected for files that are %s', async (_name, view, code) => {
    const vfs = createMemoryVfs()
    const write = list({ kind: 'write', path: '/a', at: 0, size: 1 })
    expect(await createVfsBridge(view(vfs)).call('commit', [write, new Blob(['x'])])).toMatchObject({ code })
    expect(await text(vfs, '/a')).toBe('ENOENT')
  })
})
