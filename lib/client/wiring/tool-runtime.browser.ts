import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { indexedDbOrNull, openChannel } from '@/lib/base/features.browser'
import { builtFile } from '@/lib/base/base-path'
import { loadPart } from '@/lib/i18n/load-part'
import { refusalText } from '@/lib/i18n/t'
import { frameHung } from '@/lib/base/app-error'
import { fetchAsset } from '@/lib/sandbox/assets'
import { createFrameSandbox } from '@/lib/sandbox/frame-sandbox'
import { maxParallelPython, maxPausedRuns } from '@/lib/sandbox/limits'
import type { Sandbox } from '@/lib/sandbox/sandbox'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { createDocumentReader, documentsOfChat, type DocumentReader } from '@/lib/shared/documents/document-reader'
import { executeTool, runnableTools } from '@/lib/shared/tools/client-executor'
import type { SearchWorkerPort } from '@/lib/shared/tools/search-worker-port'
import type { OpenWeb, WallClock, ToolRuntime } from '@/lib/shared/tools/tool'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import { err } from '@/lib/base/result'
import { createApiClient } from '@/lib/client/api/api-client'
import { createWorkerVfs, type VfsWorkerPort } from '@/lib/vfs/indexeddb/worker-vfs'
import { deleteCopy } from '@/lib/vfs/indexeddb/database'
import { createChatCopies, type ChatCopies } from '@/lib/client/files/chat-copies'
import { isTemporaryChat } from '@/lib/client/outbox/temporary-chats'
import type { Vfs } from '@/lib/vfs/vfs'
import { placeImported } from '@/lib/client/files/chat-zip/unpack-chat'
import { connectedTools } from './tools/chat-tools.browser'
import { memoryOf, withMemory } from './projects.browser'
import { fetchNoting } from './nod-api.browser'
import { reportFileLocation } from './files/file-locations.browser'
import { toolRegistry } from './tools/page-tools.browser'

// Loaded by `import()` when the first card or file is needed, so that the first load stays small.

// One pool of sandboxes per page, whichever conversation is open, so that their number is limited: all frames share a
// process.
let pageSandbox: Sandbox | null = null

// Documents are read in a frame of their own, one at a time: a file that crashes its reader ends no run.
let pageReader: DocumentReader | null = null

const loadAsset = fetchAsset((url) => fetch(url))

const startWorker = () => new Worker(builtFile('/workers/vfs.js'), { type: 'module' }) as VfsWorkerPort

const { builtIn } = toolRegistry

// Read again each time: people travel with a chat open.
const clock: WallClock = { now: wallClock, timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone }

const startSearchWorker = () => new Worker(builtFile('/workers/search.js'), { type: 'module' }) as SearchWorkerPort

function startSandbox(): Sandbox {
  const limits = { runs: CALLS_AT_ONCE, python: maxParallelPython, paused: maxPausedRuns }
  const sandbox = createFrameSandbox({ document, src: builtFile('/sandbox.html'), loadAsset, limits })
  // Its frames share a process with those that show foreign content: a hung one is released when nothing uses it any
  // more.
  window.addEventListener(frameHung, () => sandbox.release?.())
  return sandbox
}

function startReader(): DocumentReader {
  const limits = { runs: 1, python: 0 }
  const sandbox = createFrameSandbox({ document, src: builtFile('/sandbox.html'), loadAsset, limits })
  window.addEventListener(frameHung, () => sandbox.release?.())
  return createDocumentReader(sandbox)
}

const { askFor } = createApiClient(fetchNoting)

const openWebOf =
  (conversationId: string): OpenWeb =>
  async (call, signal) => {
    const path = `/api/conversations/${encodeURIComponent(conversationId)}/calls/web`
    const answer = await askFor<WebAnswer>('answer', 'POST', path, { body: call, signal })
    return answer.ok ? answer : err(answer.error.message)
  }

const memory = new Map<string, Promise<ChatFiles>>()

interface ChatFiles {
  readonly vfs: Vfs
  readonly copies: ChatCopies
}

/** The files of a temporary chat, as long as this page lives or until they are moved. */
async function filesInMemory(conversationId: string): Promise<ChatFiles> {
  let files = memory.get(conversationId)
  if (!files) {
    files = loadPart(() => import('@/lib/vfs/memory/memory-vfs')).then(({ createMemoryVfs }) => {
      const vfs = createMemoryVfs({ now: wallClock })
      const openFiles = () => createMemoryVfs({ now: wallClock, copyOf: vfs })
      return { vfs, copies: createChatCopies(vfs, { openFiles, deleteFiles: () => Promise.resolve() }) }
    })
    memory.set(conversationId, files)
  }
  return files
}

export const dropFilesInMemory = (conversationId: string): void => void memory.delete(conversationId)

/** The files of a chat in this browser's storage. */
function storedFiles(conversationId: string): ChatFiles {
  const ports = { conversationId, startWorker, openChannel }
  const vfs = createWorkerVfs(ports)
  const copies = createChatCopies(vfs, {
    openFiles: (copyId) => createWorkerVfs({ ...ports, copyId }),
    deleteFiles: (copyId) => deleteCopy(conversationId, copyId, { indexedDB: indexedDbOrNull() }),
  })
  return { vfs, copies }
}

/**
 * Copies the files of a temporary chat into this browser's storage, with the copy that it works on. Returns a sentence
 * if there is no space, else null.
 */
export async function storeFilesOf(conversationId: string): Promise<string | null> {
  const held = await memory.get(conversationId)
  const from = held?.vfs
  const tree = await from?.tree('/')
  if (!held || !from || !tree?.ok) return null
  const folders = tree.value.flatMap(({ path, kind }) => (kind === 'directory' ? [path] : []))
  const files: { readonly path: string; readonly data: Uint8Array }[] = []
  for (const { path, kind } of tree.value) {
    const read = kind === 'file' ? await from.read(path) : null
    if (read?.ok) files.push({ path, data: read.value })
  }
  const ports = { conversationId, startWorker, openChannel }
  const to = createWorkerVfs(ports)
  try {
    const problem = tree.value.length === 0 ? null : await placeImported(to, { files, folders })
    if (problem !== null) return problem
    const moved = await held.copies.moveTo((copyId) => createWorkerVfs({ ...ports, copyId }))
    return moved.ok ? null : refusalText(moved.error)
  } finally {
    await to.close()
  }
}

/**
 * Runs the tools of one conversation in this browser, on its own files. Never rejects: if the browser refuses frames,
 * workers or storage, the outcome of each call says so. `dispose` ends the files' worker; the page's sandbox stays.
 */
export async function createToolRuntime(conversationId: string): Promise<ToolRuntime> {
  const isTemporary = isTemporaryChat(conversationId)
  const { vfs, copies } = isTemporary ? await filesInMemory(conversationId) : storedFiles(conversationId)
  const forgetPlace = isTemporary ? () => {} : reportFileLocation(conversationId, vfs)
  const sandbox = (pageSandbox ??= startSandbox())
  const documents = documentsOfChat((pageReader ??= startReader()), conversationId)
  const notes = isTemporary ? null : memoryOf(conversationId)
  const tools = runnableTools(builtIn, connectedTools, conversationId)
  const serverTools = () => connectedTools.of(conversationId).filter(({ remote }) => remote !== undefined)
  return {
    vfs: notes ? withMemory(vfs, notes) : vfs,
    documents,
    filesAtTheEnd: (name) => tools.get(name)?.policy.filesAtTheEnd === true,
    missing: tools.missing,
    async connect(name) {
      if (tools.get(name)) return
      try {
        const { toolServers } = await loadPart(() => import('./tools/tool-servers.browser'))
        await toolServers.prepare(conversationId)
      } catch {
        // `missing` says that nothing can run it.
      }
    },
    asksUser: (name) => tools.get(name)?.policy.asksUser === true,
    async prepare() {
      await Promise.allSettled([vfs.list('/'), sandbox.prepare?.()])
    },
    openCopy: copies.open,
    dropCopy: copies.drop,
    execute: (name, args, { origin, copyId, ...options }) =>
      executeTool(
        tools.get(name),
        args,
        {
          vfs: (copyId === undefined ? vfs : copies.open(copyId).files).recording(origin ?? null),
          onCopy: copyId !== undefined,
          sandbox,
          documents,
          startSearchWorker,
          clock,
          ...(notes && { memory: notes }),
          ...(origin && { origin }),
          openWeb: openWebOf(conversationId),
          connectedTools: serverTools,
          ...options,
        },
        {
          name,
          monotonic: monotonicClock,
        },
      ),
    dispose: () => {
      forgetPlace()
      // In-memory files are needed again when the runtime restarts.
      if (isTemporary) return
      void vfs.close()
      copies.close()
    },
  }
}
