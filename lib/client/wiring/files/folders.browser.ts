import { indexedDbOrNull, locksOrNull, openChannel } from '@/lib/base/features.browser'
import { personDatabases } from '@/lib/client/browser/person-databases'
import { isNamed, type DiskFolderHandle } from '@/lib/client/folder/disk'
import { openFolderStore, type FolderLink, type FolderStore } from '@/lib/client/folder/folder-store'
import { pageWho } from '@/lib/client/wiring/nod-api.browser'
import { exclusively } from '@/lib/client/wiring/page/tab.browser'

type Mode = 'read' | 'readwrite'

/** Chromium's additions to the standard handles. */
interface PickedFolder extends DiskFolderHandle {
  queryPermission?(options: { readonly mode: Mode }): Promise<PermissionState>
  requestPermission?(options: { readonly mode: Mode }): Promise<PermissionState>
}
interface FolderWindow {
  readonly showDirectoryPicker?: (options: { readonly mode: Mode }) => Promise<DiskFolderHandle>
}

const picker = () => (window as FolderWindow).showDirectoryPicker

/** Desktop Chromium, on a secure page. */
export const canLinkFolders = (): boolean => typeof picker() === 'function'

/** Opens the browser's folder picker, for reading only; null: the user cancelled. */
export async function pickFolder(): Promise<DiskFolderHandle | null> {
  try {
    return (await picker()?.({ mode: 'read' })) ?? null
  } catch (error) {
    if (isNamed(error, 'AbortError')) return null
    throw error
  }
}

/** Handles without permissions (the browser's own storage) are always granted. */
export const permissionOf = async (folder: PickedFolder, mode: Mode): Promise<PermissionState> =>
  (await folder.queryPermission?.({ mode })) ?? 'granted'

/** Asks if necessary; only after a click. `left`: aborted, because the browser's question may never be answered. */
export async function requestFolderPermission(
  folder: PickedFolder,
  mode: Mode,
  signal: AbortSignal,
): Promise<PermissionState | 'left'> {
  if ((await permissionOf(folder, mode)) === 'granted') return 'granted'
  const left = new Promise<'left'>((resolve) => {
    if (signal.aborted) resolve('left')
    signal.addEventListener('abort', () => resolve('left'), { once: true })
  })
  const permission = folder.requestPermission?.({ mode }) ?? Promise.resolve('denied' as const)
  // Without a click, the request for permission rejects.
  return Promise.race([left, permission.catch(() => 'denied' as const)])
}

/** Null: another tab works on this folder. */
export const withFolder = <T>(link: string, work: () => Promise<T>): Promise<T | null> =>
  exclusively(locksOrNull(), `nod:folder:${link}`, work)

const databaseName = personDatabases(pageWho).folders
let store: FolderStore | null = null
export const folderStore = (): FolderStore => (store ??= openFolderStore(databaseName, indexedDbOrNull()))

const channelName = 'nod:folders'
const listeners = new Set<() => void>()

/** Called after a link was added or removed, also in another tab. */
export function watchFolders(listener: () => void): () => void {
  const channel = openChannel(channelName)
  channel.onmessage = listener
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    channel.close()
  }
}

export function foldersChanged(): void {
  const channel = openChannel(channelName)
  channel.postMessage(null)
  channel.close()
  for (const listener of listeners) listener()
}

/** The links of a chat; empty if the browser has no databases. Creates no database just to look. */
export async function foldersOf(conversationId: string): Promise<readonly FolderLink[]> {
  try {
    const known = await indexedDbOrNull().databases()
    if (!known.some(({ name }) => name === databaseName)) return []
    return await folderStore().links(conversationId)
  } catch {
    return []
  }
}

/** The folders on disk stay unchanged. */
export async function forgetFolders(conversationId: string): Promise<void> {
  for (const { id } of await foldersOf(conversationId)) await folderStore().remove(id)
}
