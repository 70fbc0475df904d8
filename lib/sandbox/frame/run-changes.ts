import { parentOf } from '@/lib/vfs/path'

/*
 * The changes of a run to its files, as one list: the difference between its snapshot and its files at the end.
 * JavaScript's layer and Python's copy both use this, so the page reads only one format.
 */

export type RunChange =
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'makeDirectory'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly data: Uint8Array }
  /** The contents at `from` when the run began. */
  | { readonly kind: 'copyOf'; readonly path: string; readonly from: string }

/** An entry of the snapshot. */
export interface EntryBefore {
  readonly path: string
  readonly kind: 'file' | 'directory'
}

/** The state of a path at the end: a folder, the contents of an entry of the snapshot, or new contents. */
export type NodeAfterRun = 'folder' | { readonly source: number } | { readonly data: Uint8Array }

/**
 * The changes that turn the snapshot into the state at the end of the run: removals first, a folder as one; then
 * folders from the top, then files; each sorted by path. `isLeftAlone`: an entry that the run never saw, so that its
 * absence means nothing.
 */
export function listChanges(
  before: readonly EntryBefore[],
  after: ReadonlyMap<string, NodeAfterRun>,
  isLeftAlone: (path: string) => boolean = () => false,
): readonly RunChange[] {
  const base = new Map(before.map(({ path, kind }, index) => [path, { index, isFolder: kind === 'directory' }]))
  const removals: RunChange[] = []
  const gone = new Set<string>()
  for (const [path, { isFolder }] of base) {
    const there = after.get(path)
    if ((there !== undefined && (there === 'folder') === isFolder) || isLeftAlone(path)) continue
    gone.add(path)
    if (!gone.has(parentOf(path))) removals.push({ kind: 'remove', path })
  }
  const folders: RunChange[] = []
  const files: RunChange[] = []
  for (const [path, node] of [...after].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const there = base.get(path)
    if (node === 'folder') {
      if (there?.isFolder !== true) folders.push({ kind: 'makeDirectory', path })
    } else if ('data' in node) files.push({ kind: 'write', path, data: node.data })
    else if (there?.index !== node.source) {
      files.push({ kind: 'copyOf', path, from: before[node.source]?.path ?? '' })
    }
  }
  return [...removals, ...folders, ...files]
}
