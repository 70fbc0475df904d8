const prefix = 'nod-files-'

/** One database a conversation: a damaged record can only ever point into its own conversation's files. */
export const databaseName = (conversationId: string) => `${prefix}${conversationId}`

/** The conversation whose files a database of this name holds; null for any other database. */
export const conversationOf = (name: string): string | null =>
  name.startsWith(prefix) ? name.slice(prefix.length) : null

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
