import { sameImage } from '../log/change-log'
import type { Nodes } from '../node-tree'
import { isInside, parentOf } from '../path'
import type { FileBytes } from '../file-bytes'
import type { FileChange } from '../vfs'
import type { NodeImage } from '../vfs-history'

/** A path at which two trees differ. */
export interface NodeDifference {
  readonly path: string
  readonly before: NodeImage
  readonly after: NodeImage
}

/** Sorted by path. */
export function differences(before: Nodes, after: Nodes): readonly NodeDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((path) => {
    const [old, next] = [before.get(path)?.image ?? null, after.get(path)?.image ?? null]
    return sameImage(old, next) ? [] : [{ path, before: old, after: next }]
  })
}

/** The first path of these that is in `fresh` neither what it was nor what it becomes; `old` is what stood everywhere before. */
export function conflictOf(mine: readonly NodeDifference[], old: Nodes, fresh: Nodes): string | null {
  for (const { path, before, after } of mine) {
    const there = fresh.get(path)?.image ?? null
    if (!sameImage(there, before) && !sameImage(there, after)) return path
    if (before?.kind !== 'directory' || after?.kind === 'directory') continue
    // A folder that goes takes nothing along that came to be in it.
    for (const other of fresh.keys()) if (isInside(other, path) && !old.has(other)) return other
  }
  return null
}

/**
 * The steps that make these differences in `fresh`, where none of them conflicts. Room is made before it is used, so that no
 * step fails for want of it when the end fits. `bytesOf` gives the contents of a file that is written.
 */
export function planSteps(
  mine: readonly NodeDifference[],
  fresh: Nodes,
  bytesOf: (version: string) => FileBytes,
): readonly FileChange[] {
  const removals: FileChange[] = []
  const folders: FileChange[] = []
  const writes: { readonly growth: number; readonly step: FileChange }[] = []
  const gone = new Set<string>()
  for (const { path, after } of mine) {
    const there = fresh.get(path)?.image ?? null
    if (sameImage(there, after)) continue
    if (there !== null && there.kind !== after?.kind) {
      // A folder takes all along that was in it.
      gone.add(path)
      if (!gone.has(parentOf(path))) removals.push({ kind: 'remove', path })
    }
    if (after?.kind === 'directory') folders.push({ kind: 'makeDirectory', path })
    if (after?.kind !== 'file') continue
    const growth = after.size - (there?.kind === 'file' ? there.size : 0)
    writes.push({ growth, step: { kind: 'write', path, data: bytesOf(after.version) } })
  }
  return [...removals, ...folders, ...writes.toSorted((a, b) => a.growth - b.growth).map(({ step }) => step)]
}
