import { databaseName } from './database-name'

/**
 * Deletes all files of a conversation, in every tab. Resolves once the browser has deleted them; rejects when it refuses.
 * Connections of open views close themselves when they hear of it, after the transaction that they are in.
 */
export const deleteVfs = (conversationId: string, ports: { readonly indexedDB: IDBFactory }): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const request = ports.indexedDB.deleteDatabase(databaseName(conversationId))
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('the database could not be deleted'))
  })
