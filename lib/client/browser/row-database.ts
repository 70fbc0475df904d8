/** Runs a request on one object store. Resolves when the transaction has completed; rejects with the browser's error. */
export type RowRequest = <T>(
  store: string,
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest<T>,
) => Promise<T>

const VERSION = 1

/**
 * An IndexedDB database whose rows contain their keys. `keyPaths` has the key of each object store. The database opens
 * on first use, and reopens after the browser or a newer page has closed it.
 */
export function createRowDatabase(
  factory: () => IDBFactory,
  name: string,
  keyPaths: Readonly<Record<string, string | string[]>>,
): RowRequest {
  let opening: Promise<IDBDatabase> | null = null
  const forget = () => void (opening = null)
  const open = (): Promise<IDBDatabase> => {
    opening ??= openDatabase(factory(), name, keyPaths, forget)
    opening.catch(forget)
    return opening
  }
  return async (store, mode, work) => {
    const transaction = (await open()).transaction(store, mode)
    const request = work(transaction.objectStore(store))
    return new Promise((resolve, reject) => {
      // A write counts when the transaction has completed, not when it was requested.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
    })
  }
}

function openDatabase(
  factory: IDBFactory,
  name: string,
  keyPaths: Readonly<Record<string, string | string[]>>,
  onGone: () => void,
): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, VERSION)
    request.onupgradeneeded = () => {
      for (const [store, keyPath] of Object.entries(keyPaths)) request.result.createObjectStore(store, { keyPath })
    }
    request.onsuccess = () => {
      const database = request.result
      // Another tab of a newer page wants it, or the browser closed it.
      database.onversionchange = () => {
        database.close()
        onGone()
      }
      database.onclose = onGone
      resolve(database)
    }
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'))
  })
}
