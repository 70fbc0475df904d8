import type { ChangeSet, NodeImage } from '../vfs-history'

/** What stands at a path below all sets that are newer than `since`; older ones no longer reach it. */
export interface BaseMark {
  readonly image: NodeImage
  readonly since: number
}

export interface ChangeLog {
  /** Oldest first; ids rise. */
  readonly sets: readonly ChangeSet[]
  /** Only of paths where it differs from the `before` of the first set that touches them. */
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
