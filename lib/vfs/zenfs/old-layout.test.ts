import { fs, mount, StoreFS, umount } from '@zenfs/core'
import { IndexedDBStore } from '@zenfs/dom/IndexedDB.js'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import { databaseName } from './database-name'
import { createZenVfs } from './zen-vfs'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

const big = Uint8Array.from({ length: 300_000 }, (_, at) => (at * at) % 251)

/** A database as version 1 wrote it: ZenFS's own store, files under `files`, unfinished ones in `scratch`. */
async function writeOld(factory: IDBFactory, conversationId: string): Promise<void> {
  const name = databaseName(conversationId)
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = factory.open(name, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(name)
      request.result.createObjectStore('meta').put({ generation: 'x', usage: null }, 'meta')
    }
    request.onsuccess = () => resolve(request.result)
  })
  const files = new StoreFS(new IndexedDBStore(db))
  files.attributes.set('no_async_preload')
  await files.ready()
  mount('/old', files)
  await fs.promises.mkdir('/old/files/notes/deep', { recursive: true })
  await fs.promises.mkdir('/old/scratch')
  await fs.promises.writeFile('/old/files/a.txt', 'first')
  await fs.promises.writeFile('/old/files/notes/deep/é 😀.md', 'second')
  await fs.promises.writeFile('/old/files/empty', '')
  await fs.promises.writeFile('/old/files/big', big)
  await fs.promises.writeFile('/old/scratch/unfinished', 'never shown')
  umount('/old')
  db.close()
}

const open = (factory: IDBFactory) =>
  createZenVfs({ conversationId: 'c', indexedDB: factory, now: () => 0, announce: () => {}, watch: () => () => {} })

async function expectWhole(factory: IDBFactory): Promise<void> {
  const vfs = open(factory)
  const tree = await vfs.tree('/')
  expect(tree.ok && tree.value.map((entry) => `${entry.path} ${entry.size}`)).toEqual([
    '/notes 0',
    '/notes/deep 0',
    '/notes/deep/é 😀.md 6',
    '/a.txt 5',
    '/big 300000',
    '/empty 0',
  ])
  const read = await vfs.read('/big')
  expect(read.ok && Buffer.from(read.value).equals(Buffer.from(big))).toBe(true)
  const stat = await vfs.stat('/a.txt')
  expect(stat.ok && stat.value.modifiedAt).toBeGreaterThan(1_600_000_000_000)
  expect(await vfs.usage()).toMatchObject({ usedBytes: 300_011, files: 4 })
  await vfs.close()
}

test('files of the layout before are carried over, once, and can be changed then', async () => {
  const factory = new IDBFactory()
  await writeOld(factory, 'c')
  await expectWhole(factory)
  const vfs = open(factory)
  expect((await vfs.remove('/a.txt')).ok).toBe(true)
  await vfs.close()
  expect(await open(factory).stat('/a.txt')).toMatchObject({ ok: false })
})

test('two tabs may carry them over at once', async () => {
  const factory = new IDBFactory()
  await writeOld(factory, 'c')
  const both = await Promise.all([expectWhole(factory), expectWhole(factory)])
  expect(both).toHaveLength(2)
})

test('nothing is lost when it is cut off, after any number of steps', async () => {
  for (let steps = 1; steps < 12; steps++) {
    const factory = new IDBFactory()
    await writeOld(factory, 'c')
    let left = steps
    const broken = new Proxy(factory, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          const request = Reflect.apply(value, target, args) as IDBOpenDBRequest
          request.addEventListener('success', () => {
            const db = request.result
            const transaction = db.transaction.bind(db)
            db.transaction = (...given) => {
              if (left-- <= 0) throw new DOMException('cut off', 'AbortError')
              return transaction(...given)
            }
          })
          return request
        }
      },
    })
    expect(await open(broken).list('/')).toMatchObject({ ok: false, error: { code: 'EIO' } })
    await expectWhole(factory)
  }
})
