/*
 * What is one person's in a browser beside their chats' files: their models with keys, their labs, their skills, and their
 * sign-ins to tool servers. Each account has databases
 * of its own; without one they are the browser's.
 *
 * A browser deletes a database when the last tab lets go of it, and a tab that is frozen, or of an older build, may never. So rows
 * are taken out first, which needs no tab's leave; what is left is an empty database, and no one waits long for its end.
 */

export interface PersonDatabases {
  readonly models: string
  readonly lab: string
  /** Sign-ins to tool servers. */
  readonly signIns: string
  /** Links to folders on disk. */
  readonly folders: string
  /** Approved texts of skills, and the shelf of those for new chats. */
  readonly skills: string
}

/** `who`: the mark of the account; empty without one. */
export const personDatabases = (who: string): PersonDatabases => ({
  models: who === '' ? 'nod:models' : `nod:models:${who}`,
  lab: who === '' ? 'nod-lab' : `nod-lab ${who}`,
  signIns: who === '' ? 'nod:sign-ins' : `nod:sign-ins:${who}`,
  folders: who === '' ? 'nod:folders' : `nod:folders:${who}`,
  skills: who === '' ? 'nod:skills' : `nod:skills:${who}`,
})

export interface DatabasePorts {
  readonly indexedDB: IDBFactory
  readonly schedule: Schedule
}

/** So long are other tabs waited for to let go of an empty database. Two of them fit into what a person waits (`./left-databases`). */
export const lettingGoMs = 1_000

/** Resolves once the browser has let go of it, in every tab, or is waited for no longer; also where there is none. */
async function deleteDatabase(name: string, { indexedDB, schedule }: DatabasePorts): Promise<void> {
  const deletion = new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
  })
  await endInTime([deletion], lettingGoMs, schedule)
}

/** What of a person a browser holds under names: all of it begins so. */
const ours = /^nod[:-]/

/** Takes away everything that is under names of ours; what another account left beside it stays. `space`: as one account sees the storage. */
export function forgetNames(space: Pick<Storage, 'key' | 'length' | 'removeItem'>): void {
  const keys = Array.from({ length: space.length }, (_, index) => space.key(index) ?? '')
  for (const key of keys) if (ours.test(key)) space.removeItem(key)
}

/** Nothing is left in the databases of a person, and they are gone unless a tab holds them. Rejects where the browser refuses. */
export async function forgetDatabases(who: string, ports: DatabasePorts): Promise<void> {
  await Promise.all(
    Object.values<string>({ ...personDatabases(who) }).map(async (name) => {
      await emptyDatabase(name, ports.indexedDB)
      await deleteDatabase(name, ports)
    }),
  )
}

/**
 * What someone kept in this browser before they signed in becomes their account's, as their chats do: else anyone who sits here
 * next without an account would find their models, with the keys. What the account has already stays as it is; what it has no
 * place for stays where it was.
 */
export async function takeDatabasesAlong(who: string, ports: DatabasePorts): Promise<void> {
  if (who === '') return
  const [from, to] = [personDatabases(''), personDatabases(who)]
  await moveDatabase(from.models, to.models, ports)
  await moveDatabase(from.lab, to.lab, ports)
  await moveDatabase(from.folders, to.folders, ports)
  await moveDatabase(from.skills, to.skills, ports)
}

async function moveDatabase(from: string, to: string, ports: DatabasePorts): Promise<void> {
  const source = await openStored(from, ports.indexedDB)
  if (source === null) return
  let isEmpty: boolean
  try {
    const stores = await readStores(source)
    const target = await openStored(to, ports.indexedDB, (database) => {
      for (const { name, keyPath } of stores) database.createObjectStore(name, { keyPath })
    })
    const added = target === null ? [] : await addRows(target, stores).finally(() => target.close())
    // Only now: whatever ends this midway leaves rows in both places rather than in none.
    isEmpty = await takeOutRows(source, added)
  } finally {
    source.close()
  }
  if (isEmpty) await deleteDatabase(from, ports)
}

/*
 * The rows of whole IndexedDB databases, whatever their stores are: read, added elsewhere, taken out. All of it opens a database in
 * the version that it has, which no other tab can be in the way of.
 */

interface ReadStore {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly rows: readonly { readonly key: IDBValidKey; readonly value: unknown }[]
}

/** `make`: its stores, where it is new; null: what is not there is not made. Null: it is not there. */
function openStored(
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
      // Who deletes it in another tab waits for no one here.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => (wanted ? reject(request.error ?? new Error('the database did not open')) : resolve(null))
  })
}

async function readStores(source: IDBDatabase): Promise<readonly ReadStore[]> {
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
async function addRows(target: IDBDatabase, stores: readonly ReadStore[]): Promise<readonly ReadStore[]> {
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
async function takeOutRows(source: IDBDatabase, stores: readonly ReadStore[]): Promise<boolean> {
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

/** Takes all rows out, which needs no one to let go of the database. */
async function emptyDatabase(name: string, indexedDB: IDBFactory): Promise<void> {
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

/** Runs the task after this many milliseconds; gives what calls it off. */
type Schedule = (task: () => void, ms: number) => () => void

/**
 * Whether all of them end; false once none of those that are left did for `quietMs`. Those go on by themselves. Rejects as the first
 * that does.
 */
export function endInTime(works: readonly Promise<unknown>[], quietMs: number, schedule: Schedule): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let left = works.length
    if (left === 0) return resolve(true)
    const watch = () => schedule(() => resolve(false), quietMs)
    let cancel = watch()
    const ended = () => {
      cancel()
      left -= 1
      if (left === 0) resolve(true)
      else cancel = watch()
    }
    const failed = (error: unknown) => {
      cancel()
      reject(error)
    }
    for (const work of works) work.then(ended, failed)
  })
}
