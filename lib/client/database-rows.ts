/*
 * The rows of whole IndexedDB databases, whatever their stores are: read, added elsewhere, taken out. All of it opens a database in
 * the version that it has, which no other tab can stand in the way of.
 */

export interface ReadStore {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly rows: readonly { readonly key: IDBValidKey; readonly value: unknown }[]
}

/** `make`: its stores, where it is new; null: what is not there is not made. Null: it is not there. */
export function openStored(
  name: string,
  indexedDB: IDBFactory,
  make: (database: IDBDatabase) => void | null = () => null,
): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    let wanted = true
    request.onupgradeneeded = () => {
      if (make(request.result) !== null) return
      wanted = false
      request.transaction?.abort()
    }
    request.onsuccess = () => {
      // Who deletes it in another tab waits for nobody here.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => (wanted ? reject(request.error ?? new Error('the database did not open')) : resolve(null))
  })
}

export async function readStores(source: IDBDatabase): Promise<readonly ReadStore[]> {
  const names = [...source.objectStoreNames]
  if (names.length === 0) return []
  const transaction = source.transaction(names, 'readonly')
  const asked = names.map((name) => {
    const store = transaction.objectStore(name)
    const [keys, values] = [store.getAllKeys(), store.getAll() as IDBRequest<unknown[]>]
    return { name, keyPath: store.keyPath, keys, values }
  })
  await completed(transaction)
  return asked.map(({ name, keyPath, keys, values }) => ({
    name,
    keyPath,
    rows: keys.result.map((key, at) => ({ key, value: values.result[at] })),
  }))
}

/** Adds what the database has a like store for, and gives those stores. A row that is there by that key stays as it is. */
export async function addRows(target: IDBDatabase, stores: readonly ReadStore[]): Promise<readonly ReadStore[]> {
  const here = stores.filter(({ name }) => target.objectStoreNames.contains(name))
  if (here.length === 0) return []
  const transaction = target.transaction(
    here.map(({ name }) => name),
    'readwrite',
  )
  const like = here.filter(
    ({ name, keyPath }) => JSON.stringify(transaction.objectStore(name).keyPath) === JSON.stringify(keyPath),
  )
  for (const { name, keyPath, rows } of like) {
    const store = transaction.objectStore(name)
    for (const { key, value } of rows) {
      const adding = keyPath === null ? store.add(value, key) : store.add(value)
      adding.onerror = (event) => {
        if (adding.error?.name !== 'ConstraintError') return
        event.preventDefault()
        event.stopPropagation()
      }
    }
  }
  await completed(transaction)
  return like
}

/** Takes rows out by their keys. Whether nothing is left then, in any store. */
export async function takeOutRows(source: IDBDatabase, stores: readonly ReadStore[]): Promise<boolean> {
  const names = [...source.objectStoreNames]
  if (names.length === 0) return true
  const transaction = source.transaction(names, 'readwrite')
  for (const { name, rows } of stores) {
    const store = transaction.objectStore(name)
    for (const { key } of rows) store.delete(key)
  }
  const left = names.map((name) => transaction.objectStore(name).count())
  await completed(transaction)
  return left.every(({ result }) => result === 0)
}

/** Takes all rows out, which needs nobody to let go of the database. */
export async function emptyDatabase(name: string, indexedDB: IDBFactory): Promise<void> {
  const database = await openStored(name, indexedDB)
  if (database === null) return
  try {
    const names = [...database.objectStoreNames]
    if (names.length === 0) return
    const transaction = database.transaction(names, 'readwrite')
    for (const store of names) transaction.objectStore(store).clear()
    await completed(transaction)
  } finally {
    database.close()
  }
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the database has no room'))
  })
}
