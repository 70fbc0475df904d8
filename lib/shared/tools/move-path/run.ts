import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { joinPath, nameOf, normalizePath } from '@/lib/vfs/path'
import type { VfsEntry } from '@/lib/vfs/vfs'
import { inTurn } from '../offload-result'
import { refuse, stoppedBeforeItBegan, failWith } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'

/** Why the target can't be used, with the way out. */
const taken = (to: string, from: string, kind: VfsEntry['kind']): ModelMessage =>
  kind === 'file'
    ? makeModelMessage('told.taken-file', { to })
    : makeModelMessage('told.taken-folder', { to, inside: joinPath(to, nameOf(from)) })

/** Separate from the definition, so that a page which only shows the call does not load it. */
export async function runMove(
  args: { readonly from: string; readonly to: string },
  { vfs, signal }: ToolContext<'write'>,
): Promise<ToolOutcome> {
  const source = normalizePath(args.from)
  if (!source.ok) return failWith(source.error, vfs, 'file or folder')
  const target = normalizePath(args.to)
  if (!target.ok) return failWith(target.error, vfs, 'file or folder')
  const [from, to] = [source.value, target.value]
  return inTurn(vfs, async () => {
    const found = await vfs.stat(from)
    if (!found.ok) return failWith(found.error, vfs, 'file or folder')
    if (from === to) return refuse('EINVAL', makeModelMessage('told.same-path', { path: from }))
    const there = await vfs.stat(to)
    if (there.ok) return refuse('EEXIST', taken(to, from, there.value.kind))
    if (there.error.code !== 'ENOENT') return failWith(there.error, vfs, 'file or folder')
    if (signal.aborted) return stoppedBeforeItBegan()
    const moved = await vfs.move(from, to)
    if (!moved.ok) return failWith(moved.error, vfs, 'file or folder')
    return { ok: true, result: { from, to, kind: found.value.kind === 'file' ? 'file' : 'folder' } }
  })
}
