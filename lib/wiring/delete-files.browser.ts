import { deleteVfs } from '@/lib/vfs/indexeddb/delete-vfs'

/** Deletes the files of a conversation from this browser. Rejects when the browser refuses. */
export const deleteConversationFiles = (conversationId: string): Promise<void> =>
  deleteVfs(conversationId, { indexedDB })
