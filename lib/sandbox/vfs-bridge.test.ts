import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
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
  await bridge.call('write', ['/a', 'x'])
  expect(await bridge.call('rename', ['/a', new Uint8Array(2)])).toMatchObject({ code: 'EINVAL' })
})

test('keeps every append, in order, and reads what was written before', async () => {
  const vfs = createMemoryVfs()
  const bridge = createVfsBridge(vfs)
  const appends = Array.from({ length: 40 }, (_, at) => bridge.call('append', ['/log', `${at},`]))
  const read = await bridge.call('read', ['/log'])
  await Promise.all(appends)
  expect(read.ok && read.value instanceof Uint8Array && new TextDecoder().decode(read.value)).toBe(
    Array.from({ length: 40 }, (_, at) => `${at},`).join(''),
  )
})

test('any mix of operations gives what doing them one after the other gives', async () => {
  const path = fc.constantFrom('/a', '/b', '/d/c')
  const step = fc.oneof(
    fc.record({ op: fc.constantFrom('write', 'append'), args: fc.tuple(path, fc.string({ maxLength: 3 })) }),
    fc.record({ op: fc.constantFrom('rm', 'read', 'stat'), args: fc.tuple(path) }),
    fc.record({ op: fc.constantFrom('rename', 'copyFile', 'cp'), args: fc.tuple(path, path) }),
    fc.record({
      op: fc.constant('cp'),
      args: fc.tuple(fc.constantFrom('/', '/d', '/e'), path, fc.constant('recursive')),
    }),
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

test('folders behave like Node’s', async () => {
  const bridge = createVfsBridge(createMemoryVfs())
  const code = async (op: string, ...args: string[]) => {
    const answer = await bridge.call(op, args)
    return answer.ok ? 'ok' : answer.code
  }
  expect(await code('mkdir', '/a/b', '')).toBe('ENOENT')
  expect(await code('mkdir', '/a/b', 'recursive')).toBe('ok')
  expect(await code('mkdir', '/a', '')).toBe('EEXIST')
  expect(await code('mkdir', '/a', 'recursive')).toBe('ok')
  expect(await code('rm', '/a', '')).toBe('EISDIR')
  expect(await code('rmdir', '/a')).toBe('ENOTEMPTY')
  expect(await code('rmdir', '/a/b')).toBe('ok')
  expect(await code('rm', '/no', '')).toBe('ENOENT')
  expect(await code('rm', '/no', 'force')).toBe('ok')
  expect(await code('rm', '/a', 'recursive')).toBe('ok')
})

test('files that can’t be reached are an answer, not a rejection', async () => {
  const broken = { ...createMemoryVfs(), read: () => Promise.reject(new Error('gone')) }
  expect(await createVfsBridge(broken).call('read', ['/a'])).toMatchObject({ ok: false, code: 'EIO' })
})
