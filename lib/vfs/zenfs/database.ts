import { mount, mounts, StoreFS } from '@zenfs/core'
import { caches } from '@zenfs/core/vfs/vcache.js'
import { IndexedDBStore } from '@zenfs/dom/IndexedDB.js'

const metaStore = 'meta'

/** How long a failed operation waits for the browser's reason. */
const reasonMs = 100

/** What we keep beside ZenFS's records. `usage` is null while a change is under way, also when it was cut off. */
export interface Meta {
  /** Changes with every change of the files: whoever sees another one than at its mount has to mount again. */
  readonly generation: string
  readonly usage: { readonly bytes: number; readonly files: number } | null
}

/** One view of the stored files, good as long as nobody else changes them. */
export interface Mount {
  /** The path under which ZenFS's promise API reaches the files. */
  readonly at: string
  /** The store below that API: one transaction for a look or a read where the API needs several. Only for reading. */
  readonly store: Pick<StoreFS, 'stat' | 'read' | 'readdir'>
  /** From here on nothing of this mount reaches the database, not even what it still holds back. */
  discard(): void
}

export interface Database {
  mount(): Promise<Mount>
  readMeta(): Promise<Meta | null>
  writeMeta(meta: Meta): Promise<void>
  /** Rejects with the browser's reason once it aborts a transaction (no space left): ZenFS does not hear of that. */
  guard<T>(work: Promise<T>): Promise<T>
  readonly isOpen: boolean
  close(): void
}

const settle = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
  })

/** ZenFS keeps a copy of all it reads for its sync API, which is not used here. */
class NoCopies extends Map<number, Uint8Array> {
  override set(): this {
    return this
  }
}

/**
 * A mount that lost its right to write must not write later: after a failed write ZenFS keeps the data and tries again when
 * it unmounts, on inode numbers that may belong to other files by then.
 */
class RevocableStore extends IndexedDBStore {
  override cache = new NoCopies()
  isRevoked = false

  override transaction() {
    if (this.isRevoked) throw new Error('this mount is stale')
    return super.transaction()
  }
}

let mountCount = 0

/** Opens (and on first use creates) a conversation's database. Rejects when the browser refuses storage. */
export async function openDatabase(name: string, factory: IDBFactory): Promise<Database> {
  const request = factory.open(name, 1)
  request.onupgradeneeded = () => {
    // ZenFS's IndexedDB store takes the object store that is named like the database.
    request.result.createObjectStore(name)
    request.result.createObjectStore(metaStore)
  }
  const db = await settle(request)
  let isOpen = true
  const failures = new Set<(reason: unknown) => void>()

  const close = () => {
    isOpen = false
    db.close()
  }
  // Another tab deletes the conversation: an open connection would block it.
  db.onversionchange = close
  db.onclose = () => (isOpen = false)
  db.addEventListener('abort', (event) => {
    const reason = (event.target as IDBTransaction).error
    // Null: ZenFS gave a transaction up by itself, and says why.
    if (reason !== null) for (const fail of failures) fail(reason)
  })

  return {
    async mount() {
      const store = new RevocableStore(db)
      const files = new StoreFS(store)
      files.attributes.set('no_async_preload')
      await files.ready()
      const at = `/${++mountCount}`
      mount(at, files)
      return {
        at,
        store: files,
        // Not `umount`, which would write what is held back.
        discard() {
          store.isRevoked = true
          mounts.delete(at)
          caches.delete(files.uuid)
        },
      }
    },
    readMeta: async () => {
      const record: unknown = await settle(db.transaction(metaStore, 'readonly').objectStore(metaStore).get('meta'))
      return (record as Meta | undefined) ?? null
    },
    writeMeta: (meta) =>
      new Promise((resolve, reject) => {
        const change = db.transaction(metaStore, 'readwrite')
        change.objectStore(metaStore).put(meta, 'meta')
        change.oncomplete = () => resolve()
        change.onabort = () => reject(change.error ?? new Error('IndexedDB transaction aborted'))
      }),
    guard: (work) => {
      let fail = (_reason: unknown) => {}
      const aborted = new Promise<never>((_, reject) => (fail = reject))
      failures.add(fail)
      // The requests of an aborted transaction fail first, without a reason; that comes right after.
      const explained = work.catch(async (thrown: unknown) => {
        await Promise.race([aborted, new Promise((resolve) => setTimeout(resolve, reasonMs))])
        throw thrown
      })
      return Promise.race([explained, aborted]).finally(() => failures.delete(fail))
    },
    get isOpen() {
      return isOpen
    },
    close,
  }
}
