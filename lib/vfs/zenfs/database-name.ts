/** One database a conversation: a damaged or forged inode can only ever point into its own conversation's files. */
export const databaseName = (conversationId: string) => `nod-files-${conversationId}`

/** The Web Lock that every access to a conversation's database runs under, in all tabs. */
export const lockName = (database: string) => `nod:vfs:${database}`
