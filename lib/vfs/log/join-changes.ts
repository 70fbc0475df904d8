import type { ChangeOrigin, ChangeSet, NodeImage, PathChange } from '../vfs-history'
import { parentOf } from '../path'
import { byPath, isActive, sameImage, type ChangeLog } from './log-parts'

const sameOrigin = (a: ChangeOrigin, b: ChangeOrigin): boolean =>
  a.kind === 'call' && b.kind === 'call' && a.messageId === b.messageId && a.slot === b.slot && a.attempt === b.attempt

/** A path, and all folders above it but the root. */
function lineOf(path: string): readonly string[] {
  const line: string[] = []
  for (let at = path; at !== '/'; at = parentOf(at)) line.push(at)
  return line
}

/**
 * The set that the changes of a call may join: its newest one, active, with nothing newer on the same paths, in them or
 * above them. (A folder that a call made and took away again leaves no trace in its set; what others did in it meanwhile would
 * lose the folder that it stands on.)
 */
export function openSet(log: ChangeLog, origin: ChangeOrigin, changes: readonly PathChange[]): ChangeSet | null {
  if (origin.kind !== 'call') return null
  const paths = new Set(changes.map(({ path }) => path))
  const lines = new Set(changes.flatMap(({ path }) => lineOf(path)))
  const meets = (path: string) => lines.has(path) || lineOf(path).some((at) => paths.has(at))
  for (const set of log.sets.toReversed()) {
    if (sameOrigin(set.origin, origin)) return isActive(set) && mayJoin(log, set, changes) ? set : null
    if (set.changes.some(({ path }) => meets(path))) return null
  }
  return null
}

/** Joining must leave each path with what stands there, also where a change takes back an earlier one of its set. */
function mayJoin(log: ChangeLog, set: ChangeSet, changes: readonly PathChange[]): boolean {
  const known = new Map(set.changes.map((change) => [change.path, change]))
  return changes.every(({ path, after }) => {
    if ((log.base.get(path)?.since ?? 0) > set.id) return false
    const mine = known.get(path)
    return !mine || !sameImage(mine.before, after) || sameImage(standingBelow(log, set, path), after)
  })
}

/** What would stand at a path without this set, which is the newest that touches it. */
function standingBelow({ sets, base }: ChangeLog, above: ChangeSet, path: string): NodeImage {
  const mark = base.get(path)
  let first: NodeImage | undefined
  for (const set of sets.toReversed()) {
    const change = set.changes.find((one) => one.path === path)
    if (!change) continue
    first = change.before
    if (set.id < above.id && isActive(set) && set.id > (mark?.since ?? 0)) return change.after
  }
  return mark ? mark.image : (first ?? null)
}

export function joined(old: readonly PathChange[], more: readonly PathChange[]): readonly PathChange[] {
  const all = new Map(old.map((change) => [change.path, change]))
  for (const change of more) {
    const known = all.get(change.path)
    all.set(change.path, known ? { ...change, before: known.before } : change)
  }
  return [...all.values()].filter(({ before, after }) => !sameImage(before, after)).toSorted(byPath)
}
