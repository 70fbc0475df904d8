/** One database a conversation: a damaged record can only ever point into its own conversation's files. */
export const databaseName = (conversationId: string) => `nod-files-${conversationId}`
