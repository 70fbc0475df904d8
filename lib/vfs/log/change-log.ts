import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, PathChange } from '../vfs-history'
import { moveSteps, type MoveStep, type TreeReader, byPath, isActive, sameImage, type ChangeLog } from './log-delta'
import { parentOf } from '../path'

const sameOrigin = (a: ChangeOrigin, b: ChangeOrigin): boolean =>
  a.kind === 'call' && b.kind === 'call' && a.messageId === b.messageId && a.slot === b.slot && a.attempt === b.attempt

/** A path and all folders above it except the root. */
function lineOf(path: string): readonly string[] {
  const line: string[] = []
  for (let at = path; at !== '/'; at = parentOf(at)) line.push(at)
  return line
}

/**
 * The set that the changes of a call may join: its newest one, active, with no newer set on the same paths, in them or
 * above them. (A folder that a call created and removed again leaves no trace in its set; changes of others in that
 * folder would then lack their folder.)
 */
function openSet(log: ChangeLog, origin: ChangeOrigin, changes: readonly PathChange[]): ChangeSet | null {
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

/** Whether joining leaves the right state at each path, even if a change reverts an earlier one of its set. */
function mayJoin(log: ChangeLog, set: ChangeSet, changes: readonly PathChange[]): boolean {
  const known = new Map(set.changes.map((change) => [change.path, change]))
  return changes.every(({ path, after }) => {
    if ((log.base.get(path)?.since ?? 0) > set.id) return false
    const mine = known.get(path)
    return !mine || !sameImage(mine.before, after) || sameImage(imageBelow(log, set, path), after)
  })
}

/** The state of a path without this set, which is the newest that touches it. */
function imageBelow({ sets, base }: ChangeLog, above: ChangeSet, path: string): NodeImage {
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

function joined(old: readonly PathChange[], more: readonly PathChange[]): readonly PathChange[] {
  const all = new Map(old.map((change) => [change.path, change]))
  for (const change of more) {
    const known = all.get(change.path)
    all.set(change.path, known ? { ...change, before: known.before } : change)
  }
  return [...all.values()].filter(({ before, after }) => !sameImage(before, after)).toSorted(byPath)
}

export { isActive, sameImage, type ChangeLog } from './log-delta'
export { moveSteps, type MoveStep, type TreeReader } from './log-delta'

/*
 * The log of a conversation's files as pure data; every backend keeps one. It determines the state of each path:
 *
 *   set 1 {/a: v0→v1}   set 2, undone {/a: v1→v2}   set 3 {/b: –→w1}     ⇒  /a = v1, /b = w1
 *
 * If no active set touches a path, its state is the one before the first set. A set that is forgotten, and a change
 * that is not recorded, leave a mark in `base` instead.
 */

export const emptyLog: ChangeLog = { sets: [], base: new Map(), nextId: 1 }

/**
 * The log after `changes` were made to the tree; the same log if they have no effect. Pass every change, even one
 * without an origin: it is not listed and can't be undone, but earlier sets no longer affect its paths.
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

/** The log after a change that is not recorded: paths that the log knows build on this state from now on. */
function settled(log: ChangeLog, changes: readonly PathChange[]): ChangeLog {
  if (log.sets.length === 0) return log
  // Folders above count too: one that a move creates again for its contents must not outlast them.
  const known = parentsAndPaths(touchedBy(log.sets))
  const ours = changes.filter(({ path }) => known.has(path) || log.base.has(path))
  if (ours.length === 0) return log
  const since = log.nextId
  const base = new Map(log.base)
  for (const { path, after } of ours) base.set(path, { image: after, since })
  return { ...log, base, nextId: since + 1 }
}

/** Forgets the oldest set. Its changes stay, and if it was undone they stay undone. */
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

/** The paths and all folders above them except the root. */
function parentsAndPaths(paths: Iterable<string>): ReadonlySet<string> {
  const line = new Set<string>()
  for (const path of paths) for (let at = path; at !== '/' && !line.has(at); at = parentOf(at)) line.add(at)
  return line
}

/**
 * Keeps the marks only of paths that sets touch, and of the folders above them: the marks decide whether these folders
 * are removed with their last file.
 */
function withoutIdleBase(log: ChangeLog): ChangeLog {
  const needed = parentsAndPaths(touchedBy(log.sets))
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
  /** In this order: removals from the deepest up, then creations from the top down. Missing parents are created. */
  readonly steps: readonly MoveStep[]
  readonly move: HistoryMove
}

/**
 * The changes needed in the tree after `flag` decides again which sets are undone and off the branch. Considers all
 * paths that the log knows, so that something that once blocked a file and is gone no longer keeps it away. A file that
 * the log does not know (a log made from `list` has no marks) is left unchanged.
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
  const [before, expected] = [expectedNodes(log), expectedNodes(next)]
  const wanted = new Map([...expected].filter(([path]) => !isForeign(path, before, tree)))
  const { steps, blocked } = moveSteps(wanted, tree)
  const changed = new Set(steps.map(({ path }) => path))
  const flippedIds = new Set(flipped.map(({ id }) => id))
  const kept = new Map<string, HistoryMove['kept'][number]['why']>()
  for (const { id, changes } of flipped) {
    for (const { path } of changes) {
      const by = expected.get(path)?.by ?? 0
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

/** Whether the state at the path differs from the log, and nothing that blocks it explains the difference. */
function isForeign(path: string, before: ReadonlyMap<string, ExpectedNode>, tree: TreeReader): boolean {
  const [recorded, now] = [before.get(path)?.image ?? null, tree.imageAt(path)]
  if (now?.kind === 'directory' || sameImage(recorded, now)) return false
  if (now !== null) return recorded?.kind !== 'directory'
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) if (tree.imageAt(at)?.kind === 'file') return false
  return recorded !== null
}

/** The expected state of a path, and the set that it comes from (0: the state before the log). */
interface ExpectedNode {
  readonly image: NodeImage
  readonly by: number
}

/** All paths that the log knows, in one walk over its changes. */
function expectedNodes({ sets, base }: ChangeLog): ReadonlyMap<string, ExpectedNode> {
  const expected = new Map<string, ExpectedNode>()
  const first = new Map<string, NodeImage>()
  for (const set of sets.toReversed()) {
    const active = isActive(set)
    for (const { path, before, after } of set.changes) {
      first.set(path, before)
      if (!active || expected.has(path)) continue
      expected.set(path, { image: after, by: set.id })
    }
  }
  for (const [path, before] of first) if (!expected.has(path)) expected.set(path, { image: before, by: 0 })
  for (const [path, { image, since }] of base) {
    if ((expected.get(path)?.by ?? 0) <= since) expected.set(path, { image, by: since })
  }
  return expected
}
