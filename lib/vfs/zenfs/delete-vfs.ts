import { databaseName, lockName } from './database-name'

/**
 * Deletes all files of a conversation, in every tab. Resolves once the browser has deleted them; rejects when it refuses.
 * The lock waits for operations that still run; idle connections of other tabs close themselves.
 */
export const deleteVfs = (
  conversationId: string,
  ports: { readonly indexedDB: IDBFactory; readonly locks: Pick<LockManager, 'request'> },
): Promise<void> => {
  const name = databaseName(conversationId)
  return ports.locks.request(
    lockName(name),
    { mode: 'exclusive' },
    () =>
      new Promise<void>((resolve, reject) => {
        const request = ports.indexedDB.deleteDatabase(name)
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
      }),
  )
}
