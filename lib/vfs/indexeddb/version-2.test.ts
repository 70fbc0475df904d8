import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { snapshotText, treeText } from '../testing/random-changes'
import type { Vfs, VfsTreeEntry } from '../vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ChangeSet } from '../vfs-history'
import { databaseName } from './database-name'
import { createIndexedDbVfs } from './indexeddb-vfs'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)
afterEach(() => {
  vi.restoreAllMocks()
})

/*
 * testing/version-2.json.gz is a database as version 2 wrote it, with what it said of itself: 313 changes, 256 of them folded;
 * a file of several blocks that was edited and moved, sets that are undone and off the branch, and a change that is not recorded.
 */
interface Fixture {
  readonly stores: Readonly<
    Record<string, { readonly keyPath: string | null; readonly records: readonly (readonly [IDBValidKey, unknown])[] }>
  >
  readonly expected: {
    readonly tree: readonly VfsTreeEntry[]
    readonly files: Readonly<Record<string, string>>
    readonly history: readonly ChangeSet[]
    readonly contents: readonly (readonly [id: number, path: string, side: 'before' | 'after', base64: string])[]
  }
}

const { stores, expected } = JSON.parse(
  gunzipSync(readFileSync(path.join(import.meta.dirname, 'testing/version-2.json.gz'))).toString('utf8'),
  (_key, value: unknown) =>
    typeof value === 'object' && value !== null && '$bytes' in value
      ? new Uint8Array(Buffer.from(String(value.$bytes), 'base64'))
      : value,
) as Fixture

function writeOld(factory: IDBFactory): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.open(databaseName('c'), 2)
    request.onupgradeneeded = () => {
      for (const [name, { keyPath, records }] of Object.entries(stores)) {
        const store = request.result.createObjectStore(name, { keyPath })
        for (const [key, value] of records) store.put(value, keyPath === null ? key : undefined)
      }
    }
    request.onsuccess = () => resolve(request.result.close())
    request.onerror = () => reject(request.error ?? new Error('no fixture'))
  })
}

const open = (factory: IDBFactory): Vfs =>
  createIndexedDbVfs({
    conversationId: 'c',
    indexedDB: factory,
    now: () => 1,
    announce: () => {},
    watch: () => () => {},
  })

function valueOf<T>(result: VfsResult<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

async function expectAsBefore(vfs: Vfs): Promise<void> {
  expect(valueOf(await vfs.tree('/'))).toEqual(expected.tree)
  for (const [file, base64] of Object.entries(expected.files)) {
    expect(Buffer.from(valueOf(await vfs.read(file))).toString('base64')).toBe(base64)
  }
  expect(valueOf(await vfs.history.list())).toEqual(expected.history)
  for (const [id, file, side, base64] of expected.contents) {
    expect(Buffer.from(valueOf(await vfs.history.read(id, file, side))).toString('base64')).toBe(base64)
  }
}

test('files and history of a database of version 2 are there, byte for byte, and go on', async () => {
  expect(expected.history.length).toBeGreaterThan(6)
  const factory = new IDBFactory()
  await writeOld(factory)
  const vfs = open(factory)
  await expectAsBefore(vfs)
  await vfs.close()
  const later = open(factory)
  await expectAsBefore(later)
  const user = { kind: 'user', action: 'edited', messageId: null } as const
  const { changeId } = valueOf(await later.recording(user).write('/new', new TextEncoder().encode('new')))
  expect(changeId).toBeGreaterThan(Math.max(...expected.history.map(({ id }) => id)))
  const hidden = expected.history.find(({ offBranch }) => offBranch)
  expect(await later.stat('/off')).toMatchObject({ ok: false })
  await later.history.follow([hidden?.origin.messageId ?? ''])
  expect(new TextDecoder().decode(valueOf(await later.read('/off')))).toBe('off the branch')
  expect(await snapshotText(open(factory))).toBe(await treeText(later))
})

test('two tabs may open it at once', async () => {
  const factory = new IDBFactory()
  await writeOld(factory)
  const [one, two] = await Promise.all([treeText(open(factory)), treeText(open(factory))])
  expect(one).toBe(two)
  await expectAsBefore(open(factory))
})

test('one that can’t be carried over says so, and is whole for the next try', async () => {
  const factory = new IDBFactory()
  await writeOld(factory)
  const add = IDBObjectStore.prototype.add
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (this.name === 'changes') throw new DOMException('no room', 'QuotaExceededError')
    return add.call(this, value, key)
  })
  expect(await open(factory).list('/')).toMatchObject({ ok: false, error: { code: 'ENOSPC' } })
  vi.restoreAllMocks()
  await expectAsBefore(open(factory))
})
