import type { ReadableVfs, VfsResult } from '@/lib/vfs/vfs'
import { nearestPath, type WantedKind } from './nearest-path'

/** Looking for what was meant walks the folders: code that probes for many files is told a few times. */
const mostTold = 10

/**
 * These files for code of the sandbox: what is not there is told with the nearest name that is, as the file tools tell it.
 * A model that mistook a path then needs no round to look for it.
 */
export function namingNearest<Files extends ReadableVfs>(vfs: Files): Files {
  let told = 0
  async function withNearest<T>(answer: Promise<VfsResult<T>>, wanted: WantedKind): Promise<VfsResult<T>> {
    const result = await answer
    if (result.ok || result.error.code !== 'ENOENT' || told >= mostTold) return result
    told += 1
    const nearest = await nearestPath(vfs, result.error.path, wanted)
    if (nearest === null) return result
    return { ok: false, error: { ...result.error, message: `${result.error.message} The nearest name is ${nearest}.` } }
  }
  // Defined, not assigned: the files may be a frozen view.
  return Object.create(vfs, {
    read: { value: (path: string) => withNearest(vfs.read(path), 'file') },
    list: { value: (path: string) => withNearest(vfs.list(path), 'folder') },
    stat: { value: (path: string) => withNearest(vfs.stat(path), 'file or folder') },
  }) as Files
}
