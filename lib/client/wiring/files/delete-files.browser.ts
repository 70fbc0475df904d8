import { loadPart } from '@/lib/i18n/load-part'
import { isTemporaryChat } from '@/lib/client/outbox/temporary-chats'
import { cachesOrNull, indexedDbOrNull } from '@/lib/base/features.browser'
import { forgetChat } from '@/lib/client/offline/offline-caches'
import { deleteVfs } from '@/lib/vfs/indexeddb/database'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'

/**
 * Deletes the files of a conversation from this browser, and its data about the messages. Rejects if the browser
 * refuses.
 */
export async function deleteConversationFiles(conversationId: string): Promise<void> {
  toolRuntimes.drop(conversationId)
  if (isTemporaryChat(conversationId)) {
    const { dropFilesInMemory } = await loadPart(() => import('../tool-runtime.browser'))
    dropFilesInMemory(conversationId)
  }
  await forgetChat(conversationId, cachesOrNull())
  await deleteVfs(conversationId, { indexedDB: indexedDbOrNull() })
  const { forgetFolders } = await loadPart(() => import('./folders.browser'))
  await forgetFolders(conversationId)
}
