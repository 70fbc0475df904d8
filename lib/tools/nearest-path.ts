import { nearestPath } from '@/lib/base/nearest-path'
import { normalizePath } from '@/lib/vfs/path'
import type { ReadableVfs } from '@/lib/vfs/vfs'

export type WantedKind = 'file' | 'folder' | 'file or folder'

/** The path in `vfs` of this kind whose name is most like the wanted one; null when nothing is near enough to be meant. */
export async function nearestIn(vfs: ReadableVfs, wanted: string, kind: WantedKind): Promise<string | null> {
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
