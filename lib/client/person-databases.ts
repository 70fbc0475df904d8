import { addRows, emptyDatabase, openStored, readStores, takeOutRows } from './database-rows'
import { endInTime, type Schedule } from './end-in-time'

/*
 * What is one person's in a browser beside their chats' files: their models with keys, and their labs. Each account has databases
 * of its own; without one they are the browser's.
 *
 * A browser deletes a database when the last tab lets go of it, and a tab that is frozen, or of an older build, may never. So rows
 * are taken out first, which needs no tab's leave; what is left is an empty database, and nobody waits long for its end.
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

/** Takes away all that stands under names of ours; what another account left beside it stays. `space`: as one account sees the storage. */
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
 * What somebody kept in this browser before they signed in becomes their account's, as their chats do: else whoever sits here
 * next without an account would find their models, with the keys. What the account has already stays as it is; what it has no
 * place for stays where it was.
 */
export async function takeDatabasesAlong(who: string, ports: DatabasePorts): Promise<void> {
  if (who === '') return
  const [from, to] = [personDatabases(''), personDatabases(who)]
  await moveDatabase(from.models, to.models, ports)
  await moveDatabase(from.lab, to.lab, ports)
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
