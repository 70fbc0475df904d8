import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import type { CallArgument } from './frame/protocol'
import { createVfsBridge } from './vfs-bridge'

const origin: ChangeOrigin = { kind: 'user', action: 'edited', messageId: null }

let vfs: Vfs
let states: string[]

/** The whole tree with contents, as `/a=1 /d/`. */
async function state(): Promise<string> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const parts = tree.value.map(async ({ path, kind }) => {
    if (kind === 'directory') return `${path}/`
    const read = await vfs.read(path)
    return `${path}=${read.ok ? new TextDecoder().decode(read.value) : '?'}`
  })
  return (await Promise.all(parts)).toSorted().join(' ')
}

async function filled(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) await vfs.write(path, new TextEncoder().encode(text))
}

/** One operation, through a view that counts the changes it makes. */
async function call(op: string, ...args: readonly CallArgument[]) {
  const answer = await createVfsBridge(vfs.recording(origin)).call(op, args)
  states.push(await state())
  return answer.ok ? 'ok' : answer.code
}

beforeEach(() => {
  vfs = createMemoryVfs()
  states = []
})

describe('rename', () => {
  test('takes the place of a file in one step', async () => {
    await filled({ '/a': 'new', '/b': 'old' })
    let changes = 0
    const seen: Promise<string>[] = []
    vfs.watch(() => {
      changes += 1
      seen.push(state())
    })
    expect(await call('rename', '/a', '/b')).toBe('ok')
    expect([changes, await Promise.all(seen)]).toEqual([1, ['/b=new']])
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value.map((set) => set.changes.map(({ path }) => path))).toEqual([['/a', '/b']])
  })

  test('to the same place by another spelling keeps the file', async () => {
    await filled({ '/a': 'kept' })
    for (const spelling of ['/a', '/./a', 'a', '/d/../a']) expect(await call('rename', '/a', spelling)).toBe('ok')
    expect(await state()).toBe('/a=kept')
  })
})

describe('cp', () => {
  beforeEach(() => filled({ '/d/a': '1', '/d/e/b': '2', '/t/a': 'old', '/t/own': 'own' }))
  const before = '/d/ /d/a=1 /d/e/ /d/e/b=2 /t/ /t/a=old /t/own=own'

  test('copies a folder into another one, in one step', async () => {
    let changes = 0
    vfs.watch(() => (changes += 1))
    expect(await call('cp', '/d', '/t', 'recursive')).toBe('ok')
    expect(changes).toBe(1)
    expect(states).toEqual(['/d/ /d/a=1 /d/e/ /d/e/b=2 /t/ /t/a=1 /t/e/ /t/e/b=2 /t/own=own'])
  })

  test('leaves what is there, if asked to', async () => {
    expect(await call('cp', '/d', '/t', 'recursive keep')).toBe('ok')
    expect(await call('cp', '/d/e/b', '/t/own', 'keep')).toBe('ok')
    expect(states.at(-1)).toBe('/d/ /d/a=1 /d/e/ /d/e/b=2 /t/ /t/a=old /t/e/ /t/e/b=2 /t/own=own')
  })

  test('that can’t be done as a whole does nothing', async () => {
    await filled({ '/t/e': 'in the way of a folder' })
    const blocked = await state()
    expect(await call('cp', '/d', '/t', 'recursive')).not.toBe('ok')
    expect(states).toEqual([blocked])
  })

  test('refuses what can’t be meant, with Node’s codes', async () => {
    expect(await call('cp', '/d', '/x', '')).toBe('ERR_FS_EISDIR')
    expect(await call('cp', '/d', '/d/e/x', 'recursive')).toBe('ERR_FS_CP_EINVAL')
    expect(await call('cp', '/d', '/d/', 'recursive')).toBe('ERR_FS_CP_EINVAL')
    expect(await call('cp', '/', '/x', 'recursive')).toBe('ERR_FS_CP_EINVAL')
    expect(await call('cp', '/d/a', 'd/a', '')).toBe('ERR_FS_CP_EINVAL')
    expect(await call('cp', '/no', '/x', 'recursive')).toBe('ENOENT')
    expect(await call('cp', '/d/a', new Uint8Array(1))).toBe('EINVAL')
    expect(await call('cp', '/d/a', '/../x')).toBe('EACCES')
    expect(new Set(states)).toEqual(new Set([before]))
  })

  test('a folder to the root joins what is there', async () => {
    expect(await call('cp', '/d', '/', 'recursive')).toBe('ok')
    expect(states).toEqual([`/a=1 ${before.replace(' /t/ ', ' /e/ /e/b=2 /t/ ')}`])
  })
})

test('copyFile replaces, or refuses to', async () => {
  await filled({ '/a': '1', '/b': '2' })
  expect(await call('copyFile', '/a', '/b', 'new')).toBe('EEXIST')
  expect(await call('copyFile', '/a', '/a')).toBe('ok')
  expect(await call('copyFile', '/a', '/b')).toBe('ok')
  expect(await call('copyFile', '/a', '/c', 'new')).toBe('ok')
  expect(await call('copyFile', '/no', '/c')).toBe('ENOENT')
  expect(states).toEqual(['/a=1 /b=2', '/a=1 /b=2', '/a=1 /b=1', '/a=1 /b=1 /c=1', '/a=1 /b=1 /c=1'])
})

test('of many that make the same new file, one does', async () => {
  const bridge = createVfsBridge(vfs)
  const answers = await Promise.all(['1', '2', '3'].map((text) => bridge.call('write', ['/a', text, 'new'])))
  expect(answers.map((answer) => (answer.ok ? 'ok' : answer.code))).toEqual(['ok', 'EEXIST', 'EEXIST'])
  expect(await state()).toBe('/a=1')
  expect(await call('append', '/a', 'x', 'new')).toBe('EEXIST')
})

test('a file is cut or filled up to a length that it may have', async () => {
  await filled({ '/a': 'abc' })
  expect(await call('truncate', '/a', '2')).toBe('ok')
  expect(await call('truncate', '/a', '3')).toBe('ok')
  expect(await call('truncate', '/a', '-5')).toBe('ok')
  expect(await call('truncate', '/a', '1.5')).toBe('EINVAL')
  expect(await call('truncate', '/a', '1e12')).toBe('EFBIG')
  expect(await call('truncate', '/no', '1')).toBe('ENOENT')
  expect(states.slice(0, 3)).toEqual(['/a=ab', '/a=ab\0', '/a='])
})
