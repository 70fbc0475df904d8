import { parentOf } from '../path'
import type { NodeImage } from '../vfs-history'
import { sameImage } from './log-delta'

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
