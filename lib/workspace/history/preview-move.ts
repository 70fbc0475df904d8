import { planMove, type ChangeLog } from '@/lib/vfs/log/change-log'
import { parentOf } from '@/lib/vfs/path'
import type { Vfs, VfsResult, VfsTreeEntry } from '@/lib/vfs/vfs'
import type { ChangeSet, HistoryMove, NodeImage } from '@/lib/vfs/vfs-history'

export interface PreviewedPath {
  readonly path: string
  /** `created`: it comes back; `deleted`: it goes; `changed`: its contents go back. */
  readonly change: 'created' | 'changed' | 'deleted'
  readonly kind: 'file' | 'directory'
}

export interface MovePreview {
  /** Sorted by path. */
  readonly paths: readonly PreviewedPath[]
  readonly kept: HistoryMove['kept']
}

/** What a move of the history would do to the files as they are now; nothing is changed. */
export async function previewMove(vfs: Vfs, flag: (set: ChangeSet) => ChangeSet): Promise<VfsResult<MovePreview>> {
  const [listed, tree] = await Promise.all([vfs.history.list(), vfs.tree('/')])
  if (!listed.ok) return listed
  if (!tree.ok) return tree
  return { ok: true, value: planPreview(listed.value, tree.value, flag) }
}

/** `newestFirst` as the history lists it. */
export function planPreview(
  newestFirst: readonly ChangeSet[],
  tree: readonly VfsTreeEntry[],
  flag: (set: ChangeSet) => ChangeSet,
): MovePreview {
  const entries = new Map(tree.map((entry) => [entry.path, entry]))
  const inside = new Map<string, string[]>()
  for (const { path } of tree) {
    const known = inside.get(parentOf(path))
    if (known) known.push(path)
    else inside.set(parentOf(path), [path])
  }
  const imageAt = (path: string): NodeImage => {
    const entry = entries.get(path)
    if (!entry) return path === '/' ? { kind: 'directory' } : null
    return entry.kind === 'directory'
      ? { kind: 'directory' }
      : { kind: 'file', size: entry.size, version: entry.version }
  }
  const plan = planMove(logOf(newestFirst), flag, { imageAt, inside: (path) => inside.get(path) ?? [] })
  const after = new Map<string, PreviewedPath>()
  for (const { path, kind } of plan.steps) {
    const now = imageAt(path)
    const change = kind === 'remove' ? 'deleted' : now === null ? 'created' : 'changed'
    after.set(path, { path, change, kind: (kind === 'remove' ? now?.kind : kind) ?? 'file' })
  }
  return {
    paths: [...after.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    kept: plan.move.kept,
  }
}

/** The log that a list came from: before its oldest set stood what that set found. */
function logOf(newestFirst: readonly ChangeSet[]): ChangeLog {
  const sets = newestFirst.toReversed()
  const base = new Map<string, NodeImage>()
  for (const { changes } of sets) for (const { path, before } of changes) if (!base.has(path)) base.set(path, before)
  return { sets, base, nextId: (sets.at(-1)?.id ?? 0) + 1 }
}
