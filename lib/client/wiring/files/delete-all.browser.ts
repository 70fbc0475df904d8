import {
  cachesOrNull,
  localStorageOrNull,
  openChannel,
  sessionStorageOrNull,
  storageManagerOrNull,
} from '@/lib/base/features.browser'
import { removeStoredWeights } from '@/lib/client/browser-models/wllama/weights/opfs-store.browser'
import { forgetInTime, maxWaitMs, portsOfPage } from '@/lib/client/browser/stale-databases'
import { forgetNames, endInTime } from '@/lib/client/browser/person-databases'
import { forgetPrivate } from '@/lib/client/offline/offline-caches'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { deleteConversationFiles } from './delete-files.browser'
import { conversationOf } from '@/lib/vfs/indexeddb/database'
import { maxBulkChats } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'
import { projectApi } from '@/lib/client/wiring/projects.browser'
import { filesOfProject } from '@/lib/shared/conversation/settings/project'
import { pageWho } from '@/lib/client/wiring/nod-api.browser'
import { releaseModels } from '@/lib/client/wiring/models/tab-models.browser'

/**
 * The ids of this user's chats and projects with files in this browser. Called before they are deleted: afterwards
 * their owner is unknown.
 */
export async function chatsWithLocalFiles(): Promise<readonly string[]> {
  const kept = await indexedDB.databases()
  const ids = kept.flatMap(({ name = '' }) => conversationOf(name) ?? [])
  const own: string[] = []
  for (let at = 0; at < ids.length; at += maxBulkChats) {
    const answer = await findApi.known(ids.slice(at, at + maxBulkChats))
    if (!answer.ok) throw new Error(answer.error.message)
    own.push(...answer.value)
  }
  const projects = await projectApi.list()
  if (!projects.ok) throw new Error(projects.error.message)
  const here = new Set(ids)
  return [...own, ...projects.value.map(({ id }) => filesOfProject(id)).filter((id) => here.has(id))]
}

/**
 * Deletes this browser's data of the deleted chats and of their owner: files, drafts, outbox, models with their keys
 * and weights, labs. Returns false if the browser did not delete all of it, or another tab locks it.
 */
export async function forgetLocalData(conversationIds: readonly string[]): Promise<boolean> {
  for (const storage of [localStorageOrNull(), sessionStorageOrNull()]) {
    if (storage) forgetNames(storageSpace(storage, pageWho))
  }
  releaseModels()
  await forgetPrivate(cachesOrNull())
  const ports = portsOfPage()
  const gone = await Promise.allSettled([
    endInTime(conversationIds.map(deleteConversationFiles), maxWaitMs, ports.schedule),
    forgetInTime(pageWho, ports),
    removeStoredWeights(storageManagerOrNull()).then(() => true),
  ])
  // Other tabs load their chats again, and find that they are gone.
  openChannel('nod:conversations').postMessage({ conversationId: null })
  return gone.every((one) => one.status === 'fulfilled' && one.value)
}
