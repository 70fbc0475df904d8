/*
 * Sign-ins that the user chose to keep in this browser, by the server's address. Only the worker of that server reads
 * them. A key for DPoP is stored beside its tokens and can't be exported, so a copied token alone is worthless.
 */

export interface StoredSignIns<T> {
  get(url: string): Promise<T | null>
  put(url: string, signIn: T): Promise<void>
  remove(url: string): Promise<void>
}

const STORE = 'sign-ins'

/** `name`: the database's name, one per user. A browser without storage has no kept sign-ins. */
export function createStoredSignIns<T>(factory: () => IDBFactory, name: string): StoredSignIns<T> {
  async function ask<R>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const database = await open(factory(), name)
    try {
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      return await new Promise<R>((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
      })
    } finally {
      // An open database would block its deletion.
      database.close()
    }
  }
  return {
    async get(url) {
      const row: { readonly signIn: T } | undefined = await ask('readonly', (rows) => rows.get(url)).catch(
        () => undefined,
      )
      return row?.signIn ?? null
    },
    put: async (url, signIn) => void (await ask('readwrite', (rows) => rows.put({ url, signIn }))),
    remove: (url) => ask('readwrite', (rows) => rows.delete(url)).catch(() => undefined),
  }
}

const open = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'url' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'))
  })
