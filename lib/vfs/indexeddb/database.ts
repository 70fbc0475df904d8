import { databaseVersion, storeNames, type StoreName } from './records'
import { settled } from './settled'
import { carryOver } from './version-2'

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

/** Makes the stores. In the transaction that opens the database: cut off anywhere, all is as it was. */
async function upgrade(db: IDBDatabase, transaction: IDBTransaction, from: number): Promise<void> {
  const makeStores = () => {
    db.createObjectStore('changes', { keyPath: 'generation' })
    db.createObjectStore('contents')
    db.createObjectStore('state')
  }
  if (from === 2) await carryOver(db, transaction, makeStores)
  else makeStores()
}

/** Opens (and on first use creates) a conversation's database. Rejects when the browser refuses storage. */
export async function openDatabase(name: string, factory: IDBFactory): Promise<Database> {
  const request = factory.open(name, databaseVersion)
  let flaw: unknown = null
  request.onupgradeneeded = ({ oldVersion }) => {
    const { transaction } = request
    if (transaction === null) return
    upgrade(request.result, transaction, oldVersion).catch((thrown: unknown) => {
      flaw = thrown
      transaction.abort()
    })
  }
  const db = await settled(request).catch((thrown: unknown) => {
    throw flaw ?? thrown
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
