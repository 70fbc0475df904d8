import { normalizePath } from '@/lib/vfs/path'
import { inTurn } from '../offload-result'
import { makeModelMessage } from '@/lib/i18n/t'
import { refuse, stoppedBeforeItBegan, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import type { ReadableVfs, VfsEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** Separate from the definition, so that a page which only shows the call does not load it. */
export async function runDelete(
  { path }: { readonly path: string },
  { vfs, signal }: ToolContext<'write'>,
): Promise<ToolOutcome> {
  const normal = normalizePath(path)
  if (!normal.ok) return failWith(normal.error, vfs, 'file or folder')
  const target = normal.value
  if (target === '/') {
    return refuse('EACCES', makeModelMessage('told.root-stays'))
  }
  return inTurn(vfs, async () => {
    const measured = await measureTree(vfs, target)
    if (!measured.ok) return failWith(measured.error, vfs, 'file or folder')
    if (signal.aborted) return stoppedBeforeItBegan()
    const removed = await vfs.remove(target)
    if (!removed.ok) return failWith(removed.error, vfs, 'file or folder')
    const { kind, files, folders, bytes } = measured.value
    const deleted = kind === 'file' ? { kind: 'file', bytes } : { kind: 'folder', files, folders, bytes }
    return { ok: true, result: { path: target, deleted } }
  })
}

/** The size of a file, or of a folder with its contents; the folder itself is not counted. */
interface TreeSize {
  readonly kind: VfsEntry['kind']
  readonly files: number
  readonly folders: number
  readonly bytes: number
}

/** Measures the node at a normalized path. */
async function measureTree(vfs: ReadableVfs, path: string): Promise<VfsResult<TreeSize>> {
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
