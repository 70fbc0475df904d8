import { normalizePath } from '@/lib/vfs/path'
import { inTurn } from '../in-turn'
import { measureTree } from '../measure-tree'
import { makeTold } from '@/lib/i18n/t'
import { refuse, stoppedBeforeItBegan } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { failWith } from '../vfs-failure'

/** Apart from the definition, so that a page which only shows the call does not load it. */
export async function runDelete(
  { path }: { readonly path: string },
  { vfs, signal }: ToolContext<'write'>,
): Promise<ToolOutcome> {
  const normal = normalizePath(path)
  if (!normal.ok) return failWith(normal.error, vfs, 'file or folder')
  const target = normal.value
  if (target === '/') {
    return refuse('EACCES', makeTold('told.root-stays'))
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
