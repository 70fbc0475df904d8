const prefix = 'nod-files-'

/** One database a conversation: a damaged record can only ever point into its own conversation's files. */
export const databaseName = (conversationId: string) => `${prefix}${conversationId}`

/** The conversation whose files a database of this name holds; null for any other database. */
export const conversationOf = (name: string): string | null =>
  name.startsWith(prefix) ? name.slice(prefix.length) : null
