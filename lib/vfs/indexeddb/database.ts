import { databaseVersion, storeNames, type StoreName } from './records'
import { settled } from './settled'

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
