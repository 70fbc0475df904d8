import type { ReadableVfs, VfsEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** What a file, or a folder with all in it, amounts to; the folder itself is not counted. */
export interface TreeSize {
  readonly kind: VfsEntry['kind']
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** Counts what stands at a normalised path. */
export async function measureTree(vfs: ReadableVfs, path: string): Promise<VfsResult<TreeSize>> {
  const stat = await vfs.stat(path)
  if (!stat.ok) return stat
  const { kind, size } = stat.value
  if (kind === 'file') return { ok: true, value: { kind, files: 1, folders: 0, bytes: size } }
  const tree = await vfs.tree(path)
  if (!tree.ok) return tree
  const files = tree.value.filter((entry) => entry.kind === 'file')
  const bytes = files.reduce((sum, entry) => sum + entry.size, 0)
  return { ok: true, value: { kind, files: files.length, folders: tree.value.length - files.length, bytes } }
}
