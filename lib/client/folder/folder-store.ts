import type { DiskFolderHandle } from './disk'

/** A linked folder: a folder on disk with a copy in a conversation's files. */
export interface FolderLink {
  readonly id: string
  readonly conversationId: string
  /** The folder's name on disk. */
  readonly name: string
  /** Absolute path of the copy. */
  readonly root: string
  /** The browser stores the handle and asks for permission again after a reload. */
  readonly handle: DiskFolderHandle
}

/** A file in the state in which copy and disk last agreed. */
export interface BaseFile {
  /** Relative path in the workspace. */
  readonly path: string
  /** Relative path on disk. */
  readonly disk: string
  readonly size: number
  readonly modifiedAt: number
  readonly hash: string
  /** Version of the file in the copy. */
  readonly version: string
}

export interface JournalRow {
  readonly path: string
  readonly disk: string
  /** Hash on disk before the write; null: no file. */
  readonly before: string | null
  /** Hash on disk after the write; null: no file. */
  readonly after: string | null
  /** Version of the file in the copy; '' for a deletion. */
  readonly version: string
  readonly done: boolean
}

/** The planned writes. Stored before the first byte; removed when the result of every write is known. */
export interface Journal {
  readonly link: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly rows: readonly JournalRow[]
}

export interface FolderUpdate {
  readonly put?: readonly BaseFile[]
  /** Paths. */
  readonly remove?: readonly string[]
  /** Null: finished. Left out: unchanged. */
  readonly journal?: Journal | null
}

/** What a browser stores about linked folders. Each method is atomic and durable. */
export interface FolderStore {
  links(conversationId: string): Promise<readonly FolderLink[]>
  base(link: string): Promise<readonly BaseFile[]>
  journal(link: string): Promise<Journal | null>
  add(link: FolderLink, base: readonly BaseFile[]): Promise<void>
  update(link: string, update: FolderUpdate): Promise<void>
  remove(link: string): Promise<void>
}

const names = ['links', 'files', 'journals'] as const
type Stores = (name: (typeof names)[number]) => IDBObjectStore

/** The store in IndexedDB. Opens the database on first use. `name` belongs to the account (`personDatabases`). */
export function openFolderStore(name: string, indexedDB: IDBFactory): FolderStore {
  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore('links', { keyPath: 'id' })
        request.result.createObjectStore('files', { keyPath: ['link', 'path'] })
        request.result.createObjectStore('journals', { keyPath: 'link' })
      }
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('The database did not open.'))
    })
  }

  /** Opened for each request, so that another tab can delete the database without waiting. */
  async function transact<T>(mode: IDBTransactionMode, body: (stores: Stores) => () => T): Promise<T> {
    const database = await open()
    try {
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(names, mode, { durability: 'strict' })
        const result = body((store) => transaction.objectStore(store))
        transaction.oncomplete = () => resolve(result())
        transaction.onabort = () => reject(transaction.error ?? new Error('The database has no room.'))
      })
    } finally {
      database.close()
    }
  }

  const rowsOf = (link: string) => IDBKeyRange.bound([link], [link, []])
  const reading = <T>(body: (stores: Stores) => IDBRequest<T>) =>
    transact('readonly', (stores) => {
      const request = body(stores)
      return () => request.result
    })
  const writing = (body: (stores: Stores) => void) =>
    transact('readwrite', (stores) => {
      body(stores)
      return () => undefined
    })

  return {
    async links(conversationId) {
      const all = await reading((stores) => stores('links').getAll() as IDBRequest<FolderLink[]>)
      return all.filter((link) => link.conversationId === conversationId)
    },
    base: (link) => reading((stores) => stores('files').getAll(rowsOf(link)) as IDBRequest<BaseFile[]>),
    async journal(link) {
      return (await reading((stores) => stores('journals').get(link) as IDBRequest<Journal | undefined>)) ?? null
    },
    add: (link, base) =>
      writing((stores) => {
        stores('links').put(link)
        for (const file of base) stores('files').put({ ...file, link: link.id })
      }),
    update: (link, { put = [], remove = [], journal }) =>
      writing((stores) => {
        for (const path of remove) stores('files').delete([link, path])
        for (const file of put) stores('files').put({ ...file, link })
        if (journal === null) stores('journals').delete(link)
        else if (journal !== undefined) stores('journals').put(journal)
      }),
    remove: (link) =>
      writing((stores) => {
        stores('links').delete(link)
        stores('files').delete(rowsOf(link))
        stores('journals').delete(link)
      }),
  }
}
