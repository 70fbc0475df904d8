import { ok } from '@/lib/base/result'
import { openChannel } from '@/lib/base/features.browser'
import { builtFile } from '@/lib/base/base-path'
import { toolRuntimes } from '@/lib/client/wiring/tool-runtimes.browser'
import { filesOfProject as nameOfFiles } from '@/lib/shared/conversation/settings/project'
import type { IncomingFile } from '@/lib/client/files/place-files'
import { createWorkerVfs, type VfsWorkerPort } from '@/lib/vfs/indexeddb/worker-vfs'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** The folder of a chat with its copy of them. */
const projectFolder = '/project'

/** A file of a project, as this browser stores it. */
export interface ProjectFile {
  readonly path: string
  readonly size: number
}

/** Opens the files of a project in this browser for one task. */
async function inProject<T>(projectId: string, work: (vfs: Vfs) => Promise<T>): Promise<T> {
  const vfs = createWorkerVfs({
    conversationId: nameOfFiles(projectId),
    startWorker: () => new Worker(builtFile('/workers/vfs.js'), { type: 'module' }) as VfsWorkerPort,
    openChannel,
  })
  try {
    return await work(vfs)
  } finally {
    await vfs.close()
  }
}

export const listProjectFiles = (projectId: string): Promise<VfsResult<readonly ProjectFile[]>> =>
  inProject(projectId, async (vfs) => {
    const tree = await vfs.tree('/')
    if (!tree.ok) return tree
    return ok(tree.value.flatMap(({ path, kind, size }) => (kind === 'file' ? [{ path, size }] : [])))
  })

/** Files of the same name are replaced. Returns a sentence if none was stored, else null. */
export const addProjectFiles = (projectId: string, files: readonly File[]): Promise<string | null> =>
  inProject(projectId, async (vfs) => {
    const changes = await Promise.all(
      files.map(async (file): Promise<FileChange> => ({
        kind: 'write',
        path: `/${file.name}`,
        data: new Uint8Array(await file.arrayBuffer()),
      })),
    )
    const done = await vfs.apply(changes)
    return done.ok ? null : done.error.message
  })

export const removeProjectFile = (projectId: string, path: string): Promise<string | null> =>
  inProject(projectId, async (vfs) => {
    const done = await vfs.remove(path)
    return done.ok ? null : done.error.message
  })

/** The files with their content; paths are relative. */
export const filesOfProject = (projectId: string): Promise<VfsResult<readonly IncomingFile[]>> =>
  inProject(projectId, async (vfs) => {
    const tree = await vfs.tree('/')
    if (!tree.ok) return tree
    const files: IncomingFile[] = []
    for (const { path, kind } of tree.value) {
      if (kind !== 'file') continue
      const read = await vfs.read(path)
      if (!read.ok) return read
      files.push({ path: path.slice(1), data: read.value })
    }
    return ok(files)
  })

/** Stores the files of an imported project. Returns a sentence if there is no space, else null. */
export const placeProjectFiles = (projectId: string, files: readonly IncomingFile[]): Promise<string | null> =>
  files.length === 0
    ? Promise.resolve(null)
    : inProject(projectId, async (vfs) => {
        const done = await vfs.apply(files.map(({ path, data }) => ({ kind: 'write', path: `/${path}`, data })))
        return done.ok ? null : done.error.message
      })

/**
 * Copies the files of a project that this browser has into a chat: they then belong to the chat, with its branches,
 * undo and export. Returns a sentence if they were not copied, else null.
 */
export async function copyProjectFiles(projectId: string, conversationId: string): Promise<string | null> {
  try {
    const files = await filesOfProject(projectId)
    if (!files.ok) return files.error.message
    const changes = files.value.map(({ path, data }): FileChange => ({
      kind: 'write',
      path: `${projectFolder}/${path}`,
      data,
    }))
    if (changes.length === 0) return null
    const { vfs } = await toolRuntimes.get(conversationId)
    const done = await vfs.apply(changes)
    return done.ok ? null : done.error.message
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
