import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { HistoryMove } from '@/lib/vfs/vfs-history'

/** How the list of changes describes files that were copied from another branch. */
export const copiedFromBranchAction = 'kept files from another branch'

/**
 * Makes these paths as they are on the branch `there`, while `here` stays the current one. It counts as a manual change
 * by the user, which belongs to no branch and can be undone like any other. The first failure leaves the files
 * unchanged.
 */
export async function copyFromBranch(
  vfs: Vfs,
  options: {
    readonly here: readonly string[]
    readonly there: readonly string[]
    readonly paths: readonly string[]
    /** The head of the conversation. */
    readonly messageId: string | null
  },
): Promise<VfsResult<readonly string[]>> {
  const { here, there, paths, messageId } = options
  const moved = await vfs.history.follow(there)
  if (!moved.ok) return moved
  const images = await readAll(vfs, paths)
  const back: VfsResult<HistoryMove> = await vfs.history.follow(here)
  if (!back.ok) return back
  if (!images.ok) return images
  const now = await readAll(vfs, paths)
  if (!now.ok) return now
  const changes = changesBetween(now.value, images.value)
  if (changes.length === 0) return { ok: true, value: [] }
  const done = await vfs.recording({ kind: 'user', action: copiedFromBranchAction, messageId }).apply(changes)
  return done.ok ? { ok: true, value: paths } : done
}

type PathContent = 'folder' | Uint8Array | null

async function readAll(vfs: Vfs, paths: readonly string[]): Promise<VfsResult<ReadonlyMap<string, PathContent>>> {
  const all = new Map<string, PathContent>()
  for (const path of paths) {
    const stat = await vfs.stat(path)
    if (!stat.ok) {
      if (stat.error.code !== 'ENOENT' && stat.error.code !== 'ENOTDIR') return stat
      all.set(path, null)
    } else if (stat.value.kind === 'directory') all.set(path, 'folder')
    else {
      const read = await vfs.read(path)
      if (!read.ok) return read
      all.set(path, read.value)
    }
  }
  return { ok: true, value: all }
}

/** Deletions from the deepest path up, then creations from the top down. */
function changesBetween(
  now: ReadonlyMap<string, PathContent>,
  wanted: ReadonlyMap<string, PathContent>,
): readonly FileChange[] {
  const paths = [...wanted.keys()].toSorted()
  const removals = paths.toReversed().flatMap((path): readonly FileChange[] => {
    const [is, shall] = [now.get(path) ?? null, wanted.get(path) ?? null]
    const stays = is === null || (shall !== null && (is === 'folder') === (shall === 'folder'))
    return stays ? [] : [{ kind: 'remove', path }]
  })
  const gone = new Set<string>()
  const top = removals.filter((change) => {
    if (change.kind !== 'remove' || gone.has(change.path)) return false
    gone.add(change.path)
    return true
  })
  const made = paths.flatMap((path): readonly FileChange[] => {
    const shall = wanted.get(path) ?? null
    if (shall === null) return []
    return shall === 'folder' ? [{ kind: 'makeDirectory', path }] : [{ kind: 'write', path, data: shall }]
  })
  return [...top, ...made]
}
