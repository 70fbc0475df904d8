import type { LogDelta, ChangeLog } from '../log/log-delta'
import type { TreeNode } from '../node-tree'
import { filesKey } from './protocol'

/*
 * What a conversation's database holds, one object store each:
 *
 *   changes   generation → ChangeRecord     what each change since the checkpoint did; of those before it a stub
 *   contents  SHA-256 → bytes               whole files, of now and of the history; equal ones are stored once
 *   state     'checkpoint' → Checkpoint     the tree and the log as of one generation
 *
 * A change adds the generation after the one that it knows. Where another tab was first, the browser refuses the record, and
 * with it all of the transaction: so a change needs no answer before it is sent. Stubs stay for good, some 30 bytes each: a
 * tab that slept must never find its number free.
 *
 * Now and then a change is also a checkpoint: it puts the whole state, and removes the contents that nothing refers to.
 */
const storeNames = ['changes', 'contents', 'state'] as const
type StoreName = (typeof storeNames)[number]

const databaseVersion = 3
export const checkpointKey = 'checkpoint'

export interface ChangeRecord {
  /** Rises by one with each change. */
  readonly generation: number
  /** Null: nothing stands there any more. In an order in which they can be done. */
  readonly nodes: readonly (readonly [path: string, node: TreeNode | null])[]
  readonly log: LogDelta | null
}

/** What a checkpoint leaves of a change. */
export interface StubRecord {
  readonly generation: number
}

export interface Checkpoint {
  readonly generation: number
  readonly nodes: readonly (readonly [path: string, node: TreeNode])[]
  readonly log: ChangeLog
}

/** Its result, or the browser's reason. */
export const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
  })

export type Stores = (name: StoreName) => IDBObjectStore

export interface Database {
  /**
   * Runs `body` in one transaction. To read, resolves with its value; to write, when the browser has the change for good.
   * Rejects with what `body` threw, else with the browser's reason; nothing is changed then. `body` may await only `settled`
   * requests of this transaction.
   */
  transact<T>(mode: IDBTransactionMode, body: (stores: Stores) => Promise<T>): Promise<T>
  readonly isOpen: boolean
  close(): void
}

/** True for the reason of a transaction that added a record where another tab already had one. */
export const isOvertaken = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'ConstraintError'

/** An early version of Nod wrote these files in another form. They stay as they are. */
export class EarlierFilesError extends Error {
  override readonly name = 'EarlierFilesError'
}

function makeStores(db: IDBDatabase): void {
  db.createObjectStore('changes', { keyPath: 'generation' })
  db.createObjectStore('contents')
  db.createObjectStore('state')
}

/** Opens (and on first use creates) a conversation's database. Rejects when the browser refuses storage. */
export async function openDatabase(name: string, factory: IDBFactory): Promise<Database> {
  const request = factory.open(name, databaseVersion)
  const opening = { isTooOld: false }
  request.onupgradeneeded = ({ oldVersion }) => {
    // Aborted, the database stays as it was.
    opening.isTooOld = oldVersion !== 0
    if (opening.isTooOld) request.transaction?.abort()
    else makeStores(request.result)
  }
  const db = await settled(request).catch((thrown: unknown) => {
    throw opening.isTooOld ? new EarlierFilesError() : thrown
  })
  let isOpen = true
  const close = () => {
    isOpen = false
    db.close()
  }
  // Another tab deletes the conversation: an open connection would block it.
  db.onversionchange = close
  db.onclose = () => (isOpen = false)

  return {
    async transact(mode, body) {
      const transaction = db.transaction(storeNames, mode)
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
    get isOpen() {
      return isOpen
    },
    close,
  }
}

const prefix = 'nod-files-'

/**
 * One database a conversation, and one for each copy of its files: a damaged record can only ever point into its own
 * conversation's files.
 */
export const databaseName = (conversationId: string, copyId?: string) => `${prefix}${filesKey(conversationId, copyId)}`

/** The conversation whose files a database of this name holds; null for any other database. */
export const conversationOf = (name: string): string | null =>
  name.startsWith(prefix) ? (name.slice(prefix.length).split('~')[0] ?? null) : null

/**
 * Deletes all files of a conversation with every copy of them, in every tab. Resolves once the browser has deleted them;
 * rejects when it refuses. Connections of open views close themselves when they hear of it, after the transaction that they
 * are in.
 */
export async function deleteVfs(
  conversationId: string,
  { indexedDB }: { readonly indexedDB: IDBFactory },
): Promise<void> {
  const copies = `${databaseName(conversationId)}~`
  const kept = await indexedDB.databases()
  const names = kept.flatMap(({ name }) => (name?.startsWith(copies) ? [name] : []))
  await Promise.all([databaseName(conversationId), ...names].map((name) => deleteDatabase(name, indexedDB)))
}

/** The same for one copy; the files of the conversation stay. */
export const deleteCopy = (
  conversationId: string,
  copyId: string,
  { indexedDB }: { readonly indexedDB: IDBFactory },
): Promise<void> => deleteDatabase(databaseName(conversationId, copyId), indexedDB)

const deleteDatabase = (name: string, factory: IDBFactory): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const request = factory.deleteDatabase(name)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
  })
