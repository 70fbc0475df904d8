import fc from 'fast-check'
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

test('knows its operations only by their own names', async () => {
  const bridge = createVfsBridge(createMemoryVfs())
  for (const op of ['constructor', '__proto__', 'toString', 'watch', 'close', 'usage', '']) {
    expect(await bridge.call(op, ['/'])).toMatchObject({ ok: false, code: 'ENOSYS' })
  }
})

test('refuses paths that are not texts', async () => {
  const bridge = createVfsBridge(createMemoryVfs())
  expect(await bridge.call('read', [])).toMatchObject({ code: 'EINVAL' })
  expect(await bridge.call('rm', [new Uint8Array(2)])).toMatchObject({ code: 'EINVAL' })
  expect(await bridge.call('write', ['/a', new Blob(['x'])])).toMatchObject({ code: 'EINVAL' })
})

test('reads what was written before, and writes in order', async () => {
  const bridge = createVfsBridge(createMemoryVfs())
  const writes = Array.from({ length: 40 }, (_, at) => bridge.call('write', ['/log', `${at}`]))
  const read = await bridge.call('read', ['/log'])
  await Promise.all(writes)
  expect(read.ok && read.value instanceof Uint8Array && new TextDecoder().decode(read.value)).toBe('39')
})

test('any mix of operations gives what doing them one after the other gives', async () => {
  const path = fc.constantFrom('/a', '/b', '/d/c')
  const step = fc.oneof(
    fc.record({ op: fc.constant('write'), args: fc.tuple(path, fc.string({ maxLength: 3 })) }),
    fc.record({ op: fc.constantFrom('rm', 'read', 'stat', 'mkdir'), args: fc.tuple(path) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const [together, alone] = [createMemoryVfs(), createMemoryVfs()]
      const bridge = createVfsBridge(together)
      const answers = await Promise.all(steps.map(({ op, args }) => bridge.call(op, args)))
      for (const [at, { op, args }] of steps.entries()) {
        expect(answers[at]).toEqual(await createVfsBridge(alone).call(op, args))
      }
      for (const name of ['/a', '/b', '/d/c']) expect(await text(together, name)).toBe(await text(alone, name))
    }),
  )
})

test('after closing, nothing begins any more', async () => {
  const vfs = createMemoryVfs()
  const bridge = createVfsBridge(vfs)
  const first = bridge.call('write', ['/a', 'x'])
  const second = bridge.call('write', ['/b', 'x'])
  bridge.close()
  await Promise.all([first, second])
  expect(await text(vfs, '/b')).toBe('ENOENT')
  expect(await bridge.call('stat', ['/'])).toMatchObject({ code: 'ECANCELED' })
})

describe('a snapshot', () => {
  const snapshotOf = async (vfs: Vfs) => {
    const answer = await createVfsBridge(vfs).call('snapshot', [])
    if (!answer.ok) throw new Error(answer.message)
    return answer.value as RunSnapshot
  }

  test('holds all files, and says that they can be changed, and how much they may hold', async () => {
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

  test('of a view that only reads says so', async () => {
    const vfs = createMemoryVfs()
    await vfs.write('/a', new Uint8Array(1))
    expect(await snapshotOf(readOnlyVfs(vfs))).toMatchObject({ access: 'read', entries: [{ path: '/a' }] })
  })

  test('of no files at all is empty, and says that there are none to be had', async () => {
    expect(await snapshotOf(noFiles)).toMatchObject({ access: 'none', entries: [], blobs: [] })
  })
})

describe('what a run changed', () => {
  const list = (...steps: unknown[]) => JSON.stringify(steps)

  test('is handed in once', async () => {
    const vfs = createMemoryVfs()
    const bridge = createVfsBridge(vfs)
    const write = list({ kind: 'write', path: '/a', at: 0, size: 1 })
    expect(await bridge.call('commit', [write, new Blob(['x'])])).toEqual({ ok: true, value: null })
    expect(await bridge.call('commit', [list({ kind: 'remove', path: '/a' }), new Blob()])).toMatchObject({
      code: 'ECANCELED',
    })
    expect(await text(vfs, '/a')).toBe('x')
  })

  test('counts no more when the run was stopped before, also while its bytes are read', async () => {
    const vfs = createMemoryVfs()
    const bridge = createVfsBridge(vfs)
    const bytes = new Blob(['x'])
    const reading = bytes.arrayBuffer.bind(bytes)
    bytes.arrayBuffer = async () => {
      const read = await reading()
      bridge.close()
      return read
    }
    const write = list({ kind: 'write', path: '/a', at: 0, size: 1 })
    expect(await bridge.call('commit', [write, bytes])).toMatchObject({ code: 'ECANCELED' })
    expect(await text(vfs, '/a')).toBe('ENOENT')
  })

  test.each([
    ['read only', (vfs: Vfs) => readOnlyVfs(vfs), 'EROFS'],
    ['out of reach', () => noFiles, 'EACCES'],
  ])('is refused for files that are %s', async (_name, view, code) => {
    const vfs = createMemoryVfs()
    const write = list({ kind: 'write', path: '/a', at: 0, size: 1 })
    expect(await createVfsBridge(view(vfs)).call('commit', [write, new Blob(['x'])])).toMatchObject({ code })
    expect(await text(vfs, '/a')).toBe('ENOENT')
  })
})

test('files that can’t be reached are an answer, not a rejection', async () => {
  const broken = { ...createMemoryVfs(), read: () => Promise.reject(new Error('gone')) }
  expect(await createVfsBridge(broken).call('read', ['/a'])).toMatchObject({ ok: false, code: 'EIO' })
})
