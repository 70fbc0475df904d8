import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, PathChange } from '../vfs-history'
import { openSet, joined } from './join-changes'
import { moveSteps, type MoveStep, type TreeReader } from './move-steps'
import { byPath, isActive, sameImage, type ChangeLog } from './log-parts'
import { parentOf } from '../path'
import { expectedNodes, type ExpectedNode } from './expected-nodes'

export { isActive, sameImage, type ChangeLog } from './log-parts'
export type { MoveStep, TreeReader } from './move-steps'

/*
 * The log of a conversation's files as pure data; every backend keeps one. What stands at a path follows from it:
 *
 *   set 1 {/a: v0→v1}   set 2, undone {/a: v1→v2}   set 3 {/b: –→w1}     ⇒  /a = v1, /b = w1
 *
 * Where no active set touches a path, what stood there before the first one stands; a set that is forgotten, and a change
 * that is not recorded, leave a mark in `base` instead.
 */

export const emptyLog: ChangeLog = { sets: [], base: new Map(), nextId: 1 }

/**
 * The log after `changes` were made to the tree; the same log when they come to nothing. Every change is told, also one
 * without an origin: that one is not listed and can't be taken back, but sets before it no longer reach its paths.
 */
export function record(
  log: ChangeLog,
  origin: ChangeOrigin | null,
  changes: readonly PathChange[],
  at: number,
): ChangeLog {
  const real = changes.filter(({ before, after }) => !sameImage(before, after))
  if (real.length === 0) return log
  if (origin === null) return settled(log, real)
  const open = openSet(log, origin, real)
  if (open !== null) {
    const next = { ...open, at, changes: joined(open.changes, real) }
    const sets = log.sets.flatMap((set) => (set !== open ? [set] : next.changes.length > 0 ? [next] : []))
    const shrank = next.changes.length < open.changes.length
    return shrank ? withoutIdleBase({ ...log, sets }) : { ...log, sets }
  }
  const { nextId: id } = log
  const fresh: ChangeSet = { id, at, origin, changes: real.toSorted(byPath), undone: false, offBranch: false }
  return { ...log, sets: [...log.sets, fresh], nextId: id + 1 }
}

/** A change that is not recorded: where the log knows the path, it stands on this from now on. */
function settled(log: ChangeLog, changes: readonly PathChange[]): ChangeLog {
  if (log.sets.length === 0) return log
  // A folder above counts too: made again for what a move puts into it, it must not outlast that.
  const known = standingFor(touchedBy(log.sets))
  const ours = changes.filter(({ path }) => known.has(path) || log.base.has(path))
  if (ours.length === 0) return log
  const since = log.nextId
  const base = new Map(log.base)
  for (const { path, after } of ours) base.set(path, { image: after, since })
  return { ...log, base, nextId: since + 1 }
}

/** Forgets the oldest set; what it did stays, and what it had been undone stays undone. */
export function forgetOldest(log: ChangeLog): ChangeLog {
  const [oldest, ...sets] = log.sets
  if (oldest === undefined) return log
  const base = new Map(log.base)
  for (const { path, before, after } of oldest.changes) {
    const mark = base.get(path)
    if (mark && mark.since > oldest.id) continue
    base.set(path, { image: isActive(oldest) ? after : mark ? mark.image : before, since: oldest.id })
  }
  return withoutIdleBase({ ...log, sets, base })
}

const touchedBy = (sets: readonly ChangeSet[]): ReadonlySet<string> =>
  new Set(sets.flatMap(({ changes }) => changes.map(({ path }) => path)))

/** The paths, and all folders above them but the root. */
function standingFor(paths: Iterable<string>): ReadonlySet<string> {
  const line = new Set<string>()
  for (const path of paths) for (let at = path; at !== '/' && !line.has(at); at = parentOf(at)) line.add(at)
  return line
}

/** Keeps the marks of paths that sets touch, and of the folders above them: whether these go with their last file. */
function withoutIdleBase(log: ChangeLog): ChangeLog {
  const needed = standingFor(touchedBy(log.sets))
  return { ...log, base: new Map([...log.base].filter(([path]) => needed.has(path))) }
}

/** Every content that the log refers to. */
export function* imagesOf(log: ChangeLog): Generator<NodeImage> {
  for (const { image } of log.base.values()) yield image
  for (const { changes } of log.sets) {
    for (const { before, after } of changes) {
      yield before
      yield after
    }
  }
}

export interface HistoryMovePlan {
  readonly log: ChangeLog
  /** In this order: removals from the deepest up, then what is made from the top down. Parents of what is made are made. */
  readonly steps: readonly MoveStep[]
  readonly move: HistoryMove
}

/**
 * What has to be done to the tree when `flag` says anew which sets are undone and off the branch. It looks at all paths
 * that the log knows, so that what once stood in the way of a file, and went since, keeps it away no longer. A file that
 * the log knows nothing of (a log made from `list` has no marks) is left as it is.
 */
export function planHistoryMove(
  log: ChangeLog,
  flag: (set: ChangeSet) => ChangeSet,
  tree: TreeReader,
): HistoryMovePlan {
  const sets = log.sets.map(flag)
  const flipped = sets.filter((set, at) => isActive(set) !== isActive(log.sets[at] ?? set))
  const next = { ...log, sets }
  if (flipped.length === 0) return { log: next, steps: [], move: { changed: [], kept: [] } }
  const [before, standing] = [expectedNodes(log), expectedNodes(next)]
  const wanted = new Map([...standing].filter(([path]) => !isForeign(path, before, tree)))
  const { steps, blocked } = moveSteps(wanted, tree)
  const changed = new Set(steps.map(({ path }) => path))
  const flippedIds = new Set(flipped.map(({ id }) => id))
  const kept = new Map<string, HistoryMove['kept'][number]['why']>()
  for (const { id, changes } of flipped) {
    for (const { path } of changes) {
      const by = standing.get(path)?.by ?? 0
      if (blocked.has(path)) kept.set(path, 'in-the-way')
      else if (!wanted.has(path) || (by > id && !flippedIds.has(by) && !changed.has(path))) {
        kept.set(path, 'changed-later')
      }
    }
  }
  return {
    log: next,
    steps,
    move: {
      changed: [...changed].toSorted(),
      kept: [...kept].map(([path, why]) => ({ path, why })).toSorted(byPath),
    },
  }
}

/** Something else stands at the path, or nothing, than the log says, and nothing that is in the way explains it. */
function isForeign(path: string, before: ReadonlyMap<string, ExpectedNode>, tree: TreeReader): boolean {
  const [said, now] = [before.get(path)?.image ?? null, tree.imageAt(path)]
  if (now?.kind === 'directory' || sameImage(said, now)) return false
  if (now !== null) return said?.kind !== 'directory'
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) if (tree.imageAt(at)?.kind === 'file') return false
  return said !== null
}
