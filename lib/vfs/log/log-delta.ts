import type { ChangeSet, NodeImage } from '../vfs-history'

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
  readonly goneSets: readonly number[]
  readonly base: readonly (readonly [path: string, mark: BaseMark])[]
  readonly goneBase: readonly string[]
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
    goneSets: before.sets.flatMap(({ id }) => (left.has(id) ? [] : [id])),
    base: sameBase ? [] : [...after.base].filter(([path, mark]) => before.base.get(path) !== mark),
    goneBase: sameBase ? [] : [...before.base.keys()].filter((path) => !after.base.has(path)),
    nextId: after.nextId,
  }
}

export function withDelta(log: ChangeLog, delta: LogDelta): ChangeLog {
  const sets = new Map(log.sets.map((set) => [set.id, set]))
  for (const id of delta.goneSets) sets.delete(id)
  for (const set of delta.sets) sets.set(set.id, set)
  const base = new Map(log.base)
  for (const path of delta.goneBase) base.delete(path)
  for (const [path, mark] of delta.base) base.set(path, mark)
  return { sets: [...sets.values()].toSorted((a, b) => a.id - b.id), base, nextId: delta.nextId }
}
