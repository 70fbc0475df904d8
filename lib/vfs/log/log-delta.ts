import type { ChangeSet, NodeImage } from '../vfs-history'
import { parentOf } from '../path'

/** The state of a path below all sets newer than `since`; older sets no longer affect it. */
interface BaseMark {
  readonly image: NodeImage
  readonly since: number
}

export interface ChangeLog {
  /** Oldest first; ids increase. */
  readonly sets: readonly ChangeSet[]
  /** Only paths whose state differs from the `before` of the first set that touches them. */
  readonly base: ReadonlyMap<string, BaseMark>
  readonly nextId: number
}

export const isActive = (set: ChangeSet): boolean => !set.undone && !set.offBranch

export const sameImage = (a: NodeImage, b: NodeImage): boolean =>
  a === null || b === null
    ? a === b
    : a.kind === 'file'
      ? b.kind === 'file' && a.version === b.version && a.size === b.size
      : b.kind === 'directory'

export const byPath = (a: { readonly path: string }, b: { readonly path: string }) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

/** The effect of one change on the log, small compared to the log itself. */
export interface LogDelta {
  readonly sets: readonly ChangeSet[]
  readonly removedSets: readonly number[]
  readonly base: readonly (readonly [path: string, mark: BaseMark])[]
  readonly removedBase: readonly string[]
  readonly nextId: number
}

/** The delta from one log to a later one, which shares the unchanged sets and marks; null if they are equal. */
export function logDelta(before: ChangeLog, after: ChangeLog): LogDelta | null {
  if (before === after) return null
  const old = new Set(before.sets)
  const left = new Set(after.sets.map(({ id }) => id))
  const sameBase = before.base === after.base
  return {
    sets: after.sets.filter((set) => !old.has(set)),
    removedSets: before.sets.flatMap(({ id }) => (left.has(id) ? [] : [id])),
    base: sameBase ? [] : [...after.base].filter(([path, mark]) => before.base.get(path) !== mark),
    removedBase: sameBase ? [] : [...before.base.keys()].filter((path) => !after.base.has(path)),
    nextId: after.nextId,
  }
}

export function withDelta(log: ChangeLog, delta: LogDelta): ChangeLog {
  const sets = new Map(log.sets.map((set) => [set.id, set]))
  for (const id of delta.removedSets) sets.delete(id)
  for (const set of delta.sets) sets.set(set.id, set)
  const base = new Map(log.base)
  for (const path of delta.removedBase) base.delete(path)
  for (const [path, mark] of delta.base) base.set(path, mark)
  return { sets: [...sets.values()].toSorted((a, b) => a.id - b.id), base, nextId: delta.nextId }
}

/** The current tree, as far as a move needs it. */
export interface TreeReader {
  imageAt(path: string): NodeImage
  /** Paths directly in a folder. */
  inside(path: string): readonly string[]
}

export type MoveStep =
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly image: NonNullable<NodeImage> & { readonly kind: 'file' } }

/**
 * The steps that bring each path to its wanted state. A folder is kept while anything remains in it, wanted or not;
 * `blocked` are the files that cannot be created because something that stays is in their place.
 */
export function moveSteps(
  wanted: ReadonlyMap<string, { readonly image: NodeImage }>,
  tree: TreeReader,
): { readonly steps: readonly MoveStep[]; readonly blocked: ReadonlySet<string> } {
  const paths = [...wanted.keys()].toSorted()
  const want = (path: string) => wanted.get(path)?.image ?? null
  const blocked = new Set<string>()
  const gone = new Set<string>()
  const removals: MoveStep[] = []
  // From the deepest up: a folder is removed only if it becomes empty.
  for (const path of paths.toReversed()) {
    const now = tree.imageAt(path)
    const target = want(path)
    if (now === null || sameImage(now, target)) continue
    // A file gets new content in place.
    if (now.kind === 'file' && target?.kind === 'file') continue
    if (now.kind === 'directory' && tree.inside(path).some((inner) => !gone.has(inner))) {
      if (target !== null) blocked.add(path)
      continue
    }
    gone.add(path)
    removals.push({ kind: 'remove', path })
  }
  const made = new Set<string>()
  const put = new Set<string>()
  const imageNow = (path: string): NodeImage => (gone.has(path) ? null : tree.imageAt(path))
  const isFolder = (path: string) => path === '/' || made.has(path) || imageNow(path)?.kind === 'directory'
  const creations: MoveStep[] = []
  const makeFolder = (path: string) => {
    made.add(path)
    creations.push({ kind: 'directory', path })
  }
  for (const path of paths) {
    const target = want(path)
    if (target === null || blocked.has(path) || sameImage(imageNow(path), target)) continue
    if (target.kind === 'directory' && isFolder(path)) continue
    const missing: string[] = []
    let at = parentOf(path)
    for (; !isFolder(at) && !put.has(at) && imageNow(at) === null; at = parentOf(at)) missing.push(at)
    // A file exists, or was just created, where a folder is needed.
    if (!isFolder(at)) {
      blocked.add(path)
      continue
    }
    for (const folder of missing.toReversed()) makeFolder(folder)
    if (target.kind === 'directory') makeFolder(path)
    else {
      put.add(path)
      creations.push({ kind: 'file', path, image: target })
    }
  }
  return { steps: [...removals, ...creations], blocked }
}
