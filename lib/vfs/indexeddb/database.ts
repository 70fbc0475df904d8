import type { LogDelta, ChangeLog } from '../log/log-delta'
import type { TreeNode } from '../node-tree'
import { filesKey } from './protocol'

/*
 * The object stores of a conversation's database:
 *
 *   changes   generation → ChangeRecord     each change since the checkpoint; a stub for each one before it
 *   contents SHA-256 → bytes whole files, current ones and those in the history; equal ones are stored once
 *   state     'checkpoint' → Checkpoint     the tree and the log as of one generation
 *
 * A change adds the generation after the last one that its tab knows. If another tab was first, the browser rejects the
 * record, and with it the whole transaction: so a change can be sent without reading first. Stubs are kept forever,
 * about 30 bytes each: a tab that was suspended must never find its number free.
 * From time to time a change is also a checkpoint: it stores the whole state, and removes unreferenced contents.
 */
const storeNames = ['changes', 'contents', 'state'] as const
type StoreName = (typeof storeNames)[number]

const databaseVersion = 3
export const checkpointKey = 'checkpoint'

export interface ChangeRecord {
  /** Increases by one with each change. */
  readonly generation: number
  /** Null: the path no longer exists. In an order in which they can be applied. */
  readonly nodes: readonly (readonly [path: string, node: TreeNode | null])[]
  readonly log: LogDelta | null
}

/** What remains of a change after a checkpoint. */
export interface StubRecord {
  readonly generation: number
}

export interface Checkpoint {
  readonly generation: number
  readonly nodes: readonly (readonly [path: string, node: TreeNode])[]
  readonly log: ChangeLog
}

/** Resolves with the result of the request, or rejects with the browser's reason. */
export const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'))
  })

export type Stores = (name: StoreName) => IDBObjectStore

export interface Database {
  /**
   * Runs `body` in one transaction. A read resolves with its value; a write resolves when the browser has stored the
   * change durably.
   * Rejects with what `body` threw, else with the browser's reason; nothing is changed then. `body` may await only
   * `settled`
   * requests of this transaction.
   */
  transact<T>(mode: IDBTransactionMode, body: (stores: Stores) => Promise<T>): Promise<T>
  readonly isOpen: boolean
  close(): void
}

/** True if a transaction failed because another tab had already added the record. */
export const isOvertaken = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'ConstraintError'

/** An early version of Nod wrote these files in a different format. They are left unchanged. */
export class EarlierFilesError extends Error {
  override readonly name = 'EarlierFilesError'
}

function makeStores(db: IDBDatabase): void {
  db.createObjectStore('changes', { keyPath: 'generation' })
  db.createObjectStore('contents')
  db.createObjectStore('state')
}

/** Opens a conversation's database, creating it on first use. Rejects if the browser denies storage. */
export async function openDatabase(name: string, factory: IDBFactory): Promise<Database> {
  const request = factory.open(name, databaseVersion)
  const opening = { isTooOld: false }
  request.onupgradeneeded = ({ oldVersion }) => {
    // After the abort, the database is unchanged.
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
        // Without this, the browser would wait for this thread to signal the end.
        if (mode === 'readwrite') transaction.commit()
      } catch (thrown) {
        // If the browser aborted the transaction, this gives its reason.
        const reason = completed.then(
          () => thrown,
          () => transaction.error ?? thrown,
        )
        try {
          transaction.abort()
        } catch {
          // Already finished.
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
 * One database per conversation, and one per copy of its files, so that a damaged record can only point to its own
 * conversation's files.
 */
export const databaseName = (conversationId: string, copyId?: string) => `${prefix}${filesKey(conversationId, copyId)}`

/** The conversation whose files a database of this name holds; null for any other database. */
export const conversationOf = (name: string): string | null =>
  name.startsWith(prefix) ? (name.slice(prefix.length).split('~')[0] ?? null) : null

/**
 * Deletes all files of a conversation with every copy of them, in every tab. Resolves once the browser has deleted
 * them; rejects if it refuses. Open views close their connections when notified, after their current transaction.
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

/** The same for one copy; the files of the conversation are kept. */
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
