import { indexedDbOrNull, openChannel } from '@/lib/base/features.browser'
import { err, ok } from '@/lib/base/result'
import { sortInParts } from '@/lib/client/api/deletions'
import {
  type ChatOfContext,
  contextOf,
  createMemories,
  createProjectApi,
  createProjectList,
  type Memories,
  type ProjectList,
} from '@/lib/client/api/project-list'
import { conversationsChannel } from '@/lib/client/browser/tab-news'
import type { MemoryPort } from '@/lib/shared/tools/tool'
import { filesOfProject, memoryPath, type PromptContext, usesMemory } from '@/lib/shared/conversation/settings/project'
import { deleteVfs } from '@/lib/vfs/indexeddb/database'
import { makeRefusal } from '@/lib/i18n/t'
import { type Vfs, failures } from '@/lib/vfs/vfs'
import { vfsFailure } from '@/lib/vfs/vfs-result'
import { fetchNoting, nodApi } from './nod-api.browser'

export const projectApi = createProjectApi(fetchNoting)

let page: ProjectList | null = null

/** The page's only list of projects, synchronized with the other tabs. */
export function localProjects(): ProjectList {
  if (page) return page
  const channel = openChannel('nod:projects')
  const made = createProjectList({
    api: projectApi,
    async deleteChats(ids, deleted) {
      const { problem } = await sortInParts(nodApi, ids, { deleted })
      return problem?.message ?? null
    },
    forgetFiles: (id) =>
      void deleteVfs(filesOfProject(id), { indexedDB: indexedDbOrNull() }).catch((error: unknown) =>
        console.error('The files of a deleted project are still in this browser.', error),
      ),
    schedule(task, ms) {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    announce() {
      channel.postMessage(null)
      // A channel of its own, so that this page gets the message too.
      const chats = openChannel(conversationsChannel)
      chats.postMessage({ conversationId: null })
      chats.close()
    },
  })
  channel.addEventListener('message', () => void made.load())
  page = made
  return made
}

let memories: Memories | null = null

/** The memories that this page has loaded, synchronized with the other tabs. */
export function localMemories(): Memories {
  if (memories) return memories
  const channel = openChannel('nod:memory')
  const made = createMemories(projectApi, () => {
    channel.postMessage(null)
    for (const each of memoryWatchers) each()
  })
  channel.addEventListener('message', () => {
    void made.refresh()
    for (const each of memoryWatchers) each()
  })
  memories = made
  return made
}

const memoryWatchers = new Set<() => void>()

/** Loads the parts of a chat's prompt besides its settings, if they are not loaded yet. */
export async function loadContext(chat: ChatOfContext): Promise<PromptContext | undefined> {
  const [projects, known] = [localProjects(), localMemories()]
  const missing = usesMemory(chat.settings)
    ? [null, chat.project].filter((id) => id !== undefined && !known.getState().has(id ?? ''))
    : []
  await Promise.all([
    ...(chat.project !== undefined && projects.getState().projects === null ? [projects.load()] : []),
    ...missing.map((id) => known.load(id ?? null)),
  ])
  return contextOf(chat, projects.getState().projects, known.getState())
}

/** The memories that a chat's tool reads and changes. */
export const memoryOf = (conversationId: string): MemoryPort => ({
  async read(kind) {
    const answer = await projectApi.memory({ chat: conversationId, kind })
    return answer.ok ? ok(answer.value) : err(answer.error.message)
  },
  async write(kind, change) {
    const answer = await projectApi.changeMemory({ chat: conversationId, kind }, change)
    void localMemories().refresh()
    for (const each of memoryWatchers) each()
    return answer.ok ? ok(answer.value) : err(answer.error.message)
  },
})

/** The files of a chat, in which cards also find the text of a memory. */
export function withMemory(vfs: Vfs, memory: MemoryPort): Vfs {
  const kindAt = (path: string) =>
    (['user', 'project'] as const).find((kind) => path === memoryPath[kind] || path === `/${memoryPath[kind]}`)
  const textAt = async (path: string) => {
    const kind = kindAt(path)
    return kind && (await memory.read(kind))
  }
  const notRead = (path: string) => vfsFailure('EIO', path, makeRefusal('vfs.nothing', { path }))
  return {
    ...vfs,
    async stat(path) {
      const found = await textAt(path)
      if (!found) return vfs.stat(path)
      if (!found.ok) return notRead(path)
      const { text, version } = found.value
      const size = new TextEncoder().encode(text).byteLength
      return version === 0
        ? failures.nothing(path)
        : ok({ name: path, kind: 'file', size, modifiedAt: 0, version: String(version) })
    },
    async read(path) {
      const found = await textAt(path)
      if (!found) return vfs.read(path)
      return found.ok ? ok(new TextEncoder().encode(found.value.text)) : notRead(path)
    },
    watch(listener) {
      const unwatch = vfs.watch(listener)
      memoryWatchers.add(listener)
      return () => {
        unwatch()
        memoryWatchers.delete(listener)
      }
    },
  }
}
