import type { ChangeSet } from '../vfs-history'
import type { BaseMark, ChangeLog } from './log-parts'

/** What one change did to the log, small beside the log itself. */
export interface LogDelta {
  readonly sets: readonly ChangeSet[]
  readonly goneSets: readonly number[]
  readonly base: readonly (readonly [path: string, mark: BaseMark])[]
  readonly goneBase: readonly string[]
  readonly nextId: number
}

/** What leads from one log to a later one, which shares the sets and marks that did not change; null: nothing. */
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
