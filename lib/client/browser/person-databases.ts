/*
 * One user's data in a browser beside their chats' files: their models with keys, their labs, their skills, and their
 * sign-ins to tool servers. Each account has its own databases; without one they are the browser's.
 *
 * A browser deletes a database when the last tab closes it, and a tab that is frozen, or of an older build, may never
 * do so. So rows are deleted first, which needs no other tab; an empty database remains, and nobody waits long for its
 * end.
 */

export interface PersonDatabases {
  readonly models: string
  readonly lab: string
  /** Sign-ins to tool servers. */
  readonly signIns: string
  /** Links to folders on disk. */
  readonly folders: string
  /** Approved skill texts, and the skills to add to new chats. */
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

/**
 * The longest wait for other tabs to close an empty database. Two of them fit into the time that a user waits
 * (`./left-databases`).
 */
export const lettingGoMs = 1_000

/** Resolves once the browser has deleted it, or after the longest wait; also if there is none. */
async function deleteDatabase(name: string, { indexedDB, schedule }: DatabasePorts): Promise<void> {
  const deletion = new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
  })
  await endInTime([deletion], lettingGoMs, schedule)
}

/** The prefix of all names under which a browser stores a user's data. */
const ours = /^nod[:-]/

/** Removes everything under our names; another account's data stays. `space`: the storage as one account sees it. */
export function forgetNames(space: Pick<Storage, 'key' | 'length' | 'removeItem'>): void {
  const keys = Array.from({ length: space.length }, (_, index) => space.key(index) ?? '')
  for (const key of keys) if (ours.test(key)) space.removeItem(key)
}

/** Empties a user's databases and deletes them, unless a tab holds them. Rejects if the browser refuses. */
export async function forgetDatabases(who: string, ports: DatabasePorts): Promise<void> {
  await Promise.all(
    Object.values<string>({ ...personDatabases(who) }).map(async (name) => {
      await emptyDatabase(name, ports.indexedDB)
      await deleteDatabase(name, ports)
    }),
  )
}

/**
 * Data that someone stored in this browser before signing in moves to the account, as their chats do: otherwise the
 * next user without an account would find their models, with the keys. Existing data of the account is not changed;
 * data that it has no place for stays where it was.
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
    // Only now: if this is interrupted, rows are in both places rather than in none.
    isEmpty = await takeOutRows(source, added)
  } finally {
    source.close()
  }
  if (isEmpty) await deleteDatabase(from, ports)
}

/*
 * The rows of whole IndexedDB databases, whatever their stores: read, added elsewhere, deleted. All of this opens a
 * database in its current version, which no other tab can block.
 */

interface ReadStore {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly rows: readonly { readonly key: IDBValidKey; readonly value: unknown }[]
}

/** `make`: its stores, if it is new; null: a missing database is not created. Returns null if it does not exist. */
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
      // Another tab can delete it without waiting for this one.
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

/**
 * Adds the rows for which the database has a matching store, and returns those stores. An existing row with the same
 * key stays as it is.
 */
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

/** Deletes rows by their keys. Returns whether all stores are then empty. */
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

/** Deletes all rows, which works while other tabs have the database open. */
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

/** Runs the task after this many milliseconds; returns the function that cancels it. */
type Schedule = (task: () => void, ms: number) => () => void

/**
 * Whether all of them end; false once none of the remaining ones did for `quietMs`. Those continue by themselves.
 * Rejects with the first rejection.
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
