import { forgetPrivate } from '@/lib/offline/forget-private'
import { storageSpace } from '@/lib/client/storage-space'
import { deleteConversationFiles } from './delete-files.browser'
import { pageWho } from './nod-api.browser'
import { forgetAllModels } from './tab-models.browser'

/** What Nod keeps of a person under names: drafts, what waits to be sent, and whatever comes to it. */
const OURS = 'nod:'

/**
 * Takes away what this browser keeps of the deleted chats and of their owner: files, drafts, what waits to be sent, models and keys. False
 * where the browser did not let go of some files.
 */
export async function forgetHere(conversationIds: readonly string[]): Promise<boolean> {
  for (const storage of [window.localStorage, window.sessionStorage]) {
    const space = storageSpace(storage, pageWho)
    const keys = Array.from({ length: space.length }, (_, index) => space.key(index) ?? '')
    for (const key of keys) if (key.startsWith(OURS)) space.removeItem(key)
  }
  forgetAllModels()
  await forgetPrivate('caches' in window ? window.caches : null)
  const files = await Promise.allSettled(conversationIds.map(deleteConversationFiles))
  // Other tabs ask for their chats again, and find that they are gone.
  new BroadcastChannel('nod:conversations').postMessage({ conversationId: null })
  return files.every(({ status }) => status === 'fulfilled')
}
