/*
 * What is one person's in a browser beside their chats' files: their models with keys, and their labs. Each account has databases
 * of its own; without one they are the browser's.
 */

export interface PersonDatabases {
  readonly models: string
  readonly lab: string
}

/** `who`: the mark of the account; empty without one. */
export const personDatabases = (who: string): PersonDatabases => ({
  models: who === '' ? 'nod:models' : `nod:models:${who}`,
  lab: who === '' ? 'nod-lab' : `nod-lab ${who}`,
})

/** Resolves once the browser has let go of it, in every tab; also where there is none. Rejects with what the browser says. */
export const deleteDatabase = (name: string, indexedDB: IDBFactory): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
  })

/** What of a person a browser holds under names: all of it begins so. */
const ours = /^nod[:-]/

/** Takes away all that stands under names of ours; what another account left beside it stays. `space`: as one account sees the storage. */
export function forgetNames(space: Pick<Storage, 'key' | 'length' | 'removeItem'>): void {
  const keys = Array.from({ length: space.length }, (_, index) => space.key(index) ?? '')
  for (const key of keys) if (ours.test(key)) space.removeItem(key)
}

/** Deletes the databases of a person. Rejects where the browser refuses. */
export async function forgetDatabases(who: string, indexedDB: IDBFactory): Promise<void> {
  await Promise.all(Object.values<string>({ ...personDatabases(who) }).map((name) => deleteDatabase(name, indexedDB)))
}

/**
 * What somebody kept in this browser before they signed in becomes their account's, as their chats do: else whoever sits here
 * next without an account would find their models, with the keys. What the account has already stays as it is.
 */
export async function takeDatabasesAlong(who: string, indexedDB: IDBFactory): Promise<void> {
  if (who === '') return
  const [from, to] = [personDatabases(''), personDatabases(who)]
  await moveDatabase(from.models, to.models, indexedDB)
  await moveDatabase(from.lab, to.lab, indexedDB)
}

async function moveDatabase(from: string, to: string, indexedDB: IDBFactory): Promise<void> {
  const source = await openDatabase(from, indexedDB, () => null)
  if (!source) return
  const names = [...source.objectStoreNames]
  try {
    const stores = names.length === 0 ? [] : await readStores(source, names)
    const target = await openDatabase(to, indexedDB, (database) => {
      for (const { name, keyPath } of stores) database.createObjectStore(name, { keyPath })
    })
    if (target) await addRows(target, stores).finally(() => target.close())
  } finally {
    source.close()
  }
  await deleteDatabase(from, indexedDB)
}

interface ReadStore {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly rows: readonly unknown[]
}

/** `make`: its stores, where it is new; null: what is not there is not made. Null: it is not there. */
function openDatabase(
  name: string,
  indexedDB: IDBFactory,
  make: (database: IDBDatabase) => void | null,
): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    let wanted = true
    request.onupgradeneeded = () => {
      if (make(request.result) !== null) return
      wanted = false
      request.transaction?.abort()
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => (wanted ? reject(request.error ?? new Error('the database did not open')) : resolve(null))
  })
}

function readStores(source: IDBDatabase, names: readonly string[]): Promise<readonly ReadStore[]> {
  return new Promise((resolve, reject) => {
    const transaction = source.transaction([...names], 'readonly')
    const asked = names.map((name) => {
      const store = transaction.objectStore(name)
      return { name, keyPath: store.keyPath, request: store.getAll() as IDBRequest<unknown[]> }
    })
    transaction.oncomplete = () =>
      resolve(asked.map(({ name, keyPath, request }) => ({ name, keyPath, rows: request.result })))
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
  })
}

function addRows(target: IDBDatabase, stores: readonly ReadStore[]): Promise<void> {
  const known = stores.filter(({ name }) => target.objectStoreNames.contains(name))
  if (known.length === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const transaction = target.transaction(
      known.map(({ name }) => name),
      'readwrite',
    )
    for (const { name, rows } of known)
      for (const row of rows) {
        const adding = transaction.objectStore(name).add(row)
        adding.onerror = (event) => {
          // The account has one of that name.
          if (adding.error?.name !== 'ConstraintError') return
          event.preventDefault()
          event.stopPropagation()
        }
      }
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('the database has no room'))
  })
}
