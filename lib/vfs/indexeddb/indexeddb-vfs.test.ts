import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { vfsLimits } from '../vfs'
import { vfsContract } from '../vfs.contract'
import { vfsHistoryContract } from '../vfs-history.contract'
import { deleteVfs } from './database'
import { createIndexedDbVfs } from './indexeddb-vfs'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

let ids = 0

/** One browser profile: every `tab` is a separate mount of the same files. */
function createProfile(factory: globalThis.IDBFactory = new IDBFactory()) {
  const conversationId = `c${++ids}`
  const listeners = new Set<() => void>()
  const tab = (limits = {}) =>
    createIndexedDbVfs({
      conversationId,
      limits: { ...vfsLimits, ...limits },
      indexedDB: factory,
      now: () => 1_000 + ids,
      announce: () => listeners.forEach((listener) => listener()),
      watch(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    })
  return { conversationId, factory, tab }
}

afterEach(() => {
  vi.restoreAllMocks()
})

const bytes = (text: string) => new TextEncoder().encode(text)

describe.each([
  ['file system', vfsContract],
  ['history', vfsHistoryContract],
])('the %s contract, in IndexedDB', (_, cases) => {
  for (const contractCase of cases) {
    test(contractCase.name, async () => {
      const profile = createProfile()
      let opened = 0
      const open = async (limits?: object) => {
        opened++
        return profile.tab(limits)
      }
      await contractCase.run({ open, reopen: () => open() })
      expect(opened).toBeGreaterThan(0)
    })
  }
})

test('a view that is opened later sees the files', async () => {
  const profile = createProfile()
  const first = profile.tab()
  await first.write('/a/b.txt', bytes('kept'))
  await first.close()
  const later = await profile.tab().read('/a/b.txt')
  expect(later.ok && new TextDecoder().decode(later.value)).toBe('kept')
})

test('conversations share nothing', async () => {
  const factory = new IDBFactory()
  const [one, two] = [createProfile(factory).tab(), createProfile(factory).tab()]
  await one.write('/a', bytes('mine'))
  expect(await two.list('/')).toEqual({ ok: true, value: [] })
})

test('a conversation’s files can be deleted while views are open; the views then start empty', async () => {
  const profile = createProfile()
  const open = profile.tab()
  await open.write('/a', bytes('x'))
  await deleteVfs(profile.conversationId, { indexedDB: profile.factory })
  expect(await profile.factory.databases()).toEqual([])
  expect(await open.list('/')).toEqual({ ok: true, value: [] })
})

test('explains how to proceed if the browser denies storage', async () => {
  const refusing = new IDBFactory()
  refusing.open = () => {
    throw new DOMException('A mutation operation was attempted', 'InvalidStateError')
  }
  const result = await createProfile(refusing).tab().write('/a', bytes('x'))
  expect(result).toMatchObject({ ok: false, error: { code: 'EIO', path: '/a' } })
  expect(!result.ok && result.error.message).toContain('leave private browsing')
})

/** From now on the disk rejects data of at least `size` bytes: as in a browser, the transaction is aborted. */
function fillDisk(size: number) {
  const put = IDBObjectStore.prototype.put
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    const request = put.call(this, value, key)
    if (value instanceof Uint8Array && value.byteLength >= size) {
      const transaction = this.transaction as unknown as Readonly<Record<string, (reason: string) => void>>
      transaction['_abort']?.('QuotaExceededError')
    }
    return request
  })
}

test('a write without disk space changes nothing, even after changes in other tabs', async () => {
  const profile = createProfile()
  const [one, two] = [profile.tab(), profile.tab()]
  await one.write('/kept', bytes('kept'))
  fillDisk(10_000)
  expect(await one.write('/big', new Uint8Array(20_000).fill(7))).toMatchObject({
    ok: false,
    error: { code: 'ENOSPC' },
  })
  vi.restoreAllMocks()
  for (const name of ['a', 'b', 'c']) expect((await two.write(`/${name}`, bytes(name.repeat(50)))).ok).toBe(true)
  expect((await one.write('/after', bytes('after'))).ok).toBe(true)
  for (const tab of [one, two, profile.tab()]) {
    const listed = await tab.list('/')
    expect(listed.ok && listed.value.map((entry) => entry.name)).toEqual(['a', 'after', 'b', 'c', 'kept'])
    const read = await tab.read('/b')
    expect(read.ok && new TextDecoder().decode(read.value)).toBe('b'.repeat(50))
    expect(await tab.usage()).toMatchObject({ usedBytes: 159, files: 5 })
  }
})

test('a tab that missed many changes and a checkpoint still writes to the current files', async () => {
  const profile = createProfile()
  const [busy, sleepy] = [profile.tab(), profile.tab()]
  await sleepy.write('/early', bytes('early'))
  await busy.write('/seen', bytes('seen'))
  for (let at = 0; at < 600; at++) await busy.write(`/f${at % 50}`, bytes(`turn ${at}`))
  expect((await sleepy.write('/late', bytes('late'))).ok).toBe(true)
  for (const tab of [busy, sleepy, profile.tab()]) {
    expect(await tab.usage()).toMatchObject({ files: 53 })
    const read = await tab.read('/f49')
    expect(read.ok && new TextDecoder().decode(read.value)).toBe('turn 599')
  }
  // Equal contents again, after a checkpoint removed the stored ones.
  expect((await sleepy.write('/again', bytes('turn 0'))).ok).toBe(true)
  const again = await busy.read('/again')
  expect(again.ok && new TextDecoder().decode(again.value)).toBe('turn 0')
})
