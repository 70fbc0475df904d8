import { asModelMessage, makeModelMessage } from '@/lib/i18n/t'
import type { ReadableVfs } from '@/lib/vfs/vfs'
import type { VfsError } from '@/lib/vfs/vfs-result'
import { refuse } from './refuse'
import type { ToolOutcome } from './tool'
import { nearestPath } from '@/lib/base/text/nearest-path'
import { normalizePath } from '@/lib/vfs/path'

/** A file failure as a tool outcome; for a missing path, with the nearest existing one. */
export async function failWith(error: VfsError, vfs: ReadableVfs, wanted: WantedKind): Promise<ToolOutcome> {
  if (error.code === 'ENOENT') {
    const nearest = await nearestIn(vfs, error.path, wanted)
    if (nearest !== null)
      return refuse(error.code, makeModelMessage('told.nearest', { wanted, path: error.path, nearest }))
  }
  return refuse(error.code, asModelMessage(error))
}

type WantedKind = 'file' | 'folder' | 'file or folder'

/** The path in `vfs` of this kind whose name is most like the wanted one; null if nothing is near enough. */
async function nearestIn(vfs: ReadableVfs, wanted: string, kind: WantedKind): Promise<string | null> {
  const normal = normalizePath(wanted)
  if (!normal.ok || normal.value === '/') return null
  const tree = await vfs.tree('/')
  if (!tree.ok) return null
  const isMeant = (each: 'file' | 'directory') =>
    kind === 'file or folder' || (each === 'directory') === (kind === 'folder')
  return nearestPath(
    normal.value,
    tree.value.flatMap((entry) => (isMeant(entry.kind) ? [entry.path] : [])),
  )
}
