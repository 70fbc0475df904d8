import { databaseVersion, storeNames, type StoreName } from './records'

export interface Database {
  /**
   * Runs `body` in one transaction over all stores, or the named ones. To read, resolves with its value; to write, when the browser has the
   * change for good. Rejects with what `body` threw, else with the browser's reason; nothing is changed then.
   * `body` may await only `settled` requests of this transaction.
   */
  transact<T>(mode: IDBTransactionMode, body: (stores: Stores) => Promise<T>, names?: readonly StoreName[]): Promise<T>
  /** The object store of the layout before this one; null when there is none. */
  readonly oldStore: string | null
  /** The connection itself, for the old layout. */
  readonly connection: IDBDatabase
  readonly isOpen: boolean
  close(): void
}

export type Stores = (name: StoreName) => IDBObjectStore

export const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
  })

function createStores(db: IDBDatabase): void {
  // Version 1 had a store of this name too; all that it held follows from the files.
  if (db.objectStoreNames.contains('meta')) db.deleteObjectStore('meta')
  db.createObjectStore('nodes', { keyPath: 'id' })
  db.createObjectStore('blocks')
  db.createObjectStore('contents', { keyPath: 'version' })
  db.createObjectStore('sets', { keyPath: 'id' })
  db.createObjectStore('base', { keyPath: 'path' })
  db.createObjectStore('meta')
  db.createObjectStore('commits', { keyPath: 'generation' })
}

/** True for the reason of a transaction that added a record where another tab already had one. */
export const isOvertaken = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'ConstraintError'

/** Opens (and on first use creates) a conversation's database. Rejects when the browser refuses storage. */
export async function openDatabase(name: string, factory: IDBFactory): Promise<Database> {
  const request = factory.open(name, databaseVersion)
  request.onupgradeneeded = () => createStores(request.result)
  const db = await settled(request)
  let isOpen = true
  const close = () => {
    isOpen = false
    db.close()
  }
  // Another tab deletes the conversation: an open connection would block it.
  db.onversionchange = close
  db.onclose = () => (isOpen = false)

  return {
    async transact(mode, body, names = storeNames) {
      const transaction = db.transaction(names, mode)
      const completed = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was given up'))
      })
      let value
      try {
        value = await body((store) => transaction.objectStore(store))
        // Without it the browser would wait for this thread to say that nothing more comes.
        if (mode === 'readwrite') transaction.commit()
      } catch (thrown) {
        // Aborted already when the browser gave it up: then it says why.
        const reason = completed.then(
          () => thrown,
          () => transaction.error ?? thrown,
        )
        try {
          transaction.abort()
        } catch {
          // Over already.
        }
        throw await reason
      }
      if (mode === 'readonly') completed.catch(() => {})
      else await completed
      return value
    },
    oldStore: db.objectStoreNames.contains(name) ? name : null,
    connection: db,
    get isOpen() {
      return isOpen
    },
    close,
  }
}
