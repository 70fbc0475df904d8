import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, PathChange } from '../vfs-history'
import { parentOf } from '../path'

/*
 * The log of a conversation's files as pure data; every backend keeps one. What stands at a path follows from it:
 *
 *   base {/a: v0}   set 1 {/a: v0→v1}   set 2, undone {/a: v1→v2}   set 3 {/b: –→w1}     ⇒  /a = v1, /b = w1
 *
 * `base` holds what stood at a path before the first set that touches it. A set that is forgotten leaves its mark there.
 */

export interface ChangeLog {
  /** Oldest first; ids rise. */
  readonly sets: readonly ChangeSet[]
  readonly base: ReadonlyMap<string, NodeImage>
  readonly nextId: number
}

export const emptyLog: ChangeLog = { sets: [], base: new Map(), nextId: 1 }

export const isActive = (set: ChangeSet): boolean => !set.undone && !set.offBranch

export const sameImage = (a: NodeImage, b: NodeImage): boolean =>
  a === null || b === null
    ? a === b
    : a.kind === 'file'
      ? b.kind === 'file' && a.version === b.version && a.size === b.size
      : b.kind === 'directory'

const sameOrigin = (a: ChangeOrigin, b: ChangeOrigin): boolean =>
  a.kind === 'call' && b.kind === 'call' && a.messageId === b.messageId && a.slot === b.slot && a.attempt === b.attempt

const byPath = (a: { readonly path: string }, b: { readonly path: string }) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

/** The set that the changes of a call may join: its newest one, active, with nothing newer on the same paths. */
function openSet(sets: readonly ChangeSet[], origin: ChangeOrigin, paths: ReadonlySet<string>): number {
  for (let at = sets.length - 1; at >= 0; at--) {
    const set = sets[at]
    if (set === undefined) break
    if (sameOrigin(set.origin, origin)) return isActive(set) ? at : -1
    if (set.changes.some(({ path }) => paths.has(path))) return -1
  }
  return -1
}

function joined(old: readonly PathChange[], more: readonly PathChange[]): readonly PathChange[] {
  const all = new Map(old.map((change) => [change.path, change]))
  for (const change of more) {
    const known = all.get(change.path)
    all.set(change.path, known ? { ...change, before: known.before } : change)
  }
  return [...all.values()].filter(({ before, after }) => !sameImage(before, after)).toSorted(byPath)
}

/** The log after `changes` were made; the same log when they come to nothing. */
export function record(log: ChangeLog, origin: ChangeOrigin, changes: readonly PathChange[], at: number): ChangeLog {
  const real = changes.filter(({ before, after }) => !sameImage(before, after))
  if (real.length === 0) return log
  const base = new Map(log.base)
  for (const { path, before } of real) if (!base.has(path)) base.set(path, before)
  const open = openSet(log.sets, origin, new Set(real.map(({ path }) => path)))
  const set = log.sets[open]
  if (set !== undefined) {
    const next = { ...set, at, changes: joined(set.changes, real) }
    return withoutIdleBase({
      ...log,
      base,
      sets: log.sets.toSpliced(open, 1, ...(next.changes.length > 0 ? [next] : [])),
    })
  }
  const fresh: ChangeSet = {
    id: log.nextId,
    at,
    origin,
    changes: real.toSorted(byPath),
    undone: false,
    offBranch: false,
  }
  return { sets: [...log.sets, fresh], base, nextId: log.nextId + 1 }
}

/** Forgets the oldest set; what it did stays. */
export function forgetOldest(log: ChangeLog): ChangeLog {
  const [oldest, ...sets] = log.sets
  if (oldest === undefined) return log
  const base = new Map(log.base)
  if (isActive(oldest)) for (const { path, after } of oldest.changes) base.set(path, after)
  return withoutIdleBase({ ...log, sets, base })
}

function withoutIdleBase(log: ChangeLog): ChangeLog {
  const touched = new Set(log.sets.flatMap(({ changes }) => changes.map(({ path }) => path)))
  return { ...log, base: new Map([...log.base].filter(([path]) => touched.has(path))) }
}

/** Every content that the log refers to. */
export function* imagesOf(log: ChangeLog): Generator<NodeImage> {
  yield* log.base.values()
  for (const { changes } of log.sets) {
    for (const { before, after } of changes) {
      yield before
      yield after
    }
  }
}

/** The tree as it is, as far as a move needs to look. */
export interface TreeLook {
  imageAt(path: string): NodeImage
  /** Paths of what lies directly in a folder. */
  inside(path: string): readonly string[]
}

export type MoveStep =
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly image: NonNullable<NodeImage> & { readonly kind: 'file' } }

export interface MovePlan {
  readonly log: ChangeLog
  /** In this order: removals from the deepest up, then what is made from the top down. Parents of what is made are made. */
  readonly steps: readonly MoveStep[]
  readonly move: HistoryMove
}

/** What has to be done to the tree when `flag` says anew which sets are undone and off the branch. */
export function planMove(log: ChangeLog, flag: (set: ChangeSet) => ChangeSet, tree: TreeLook): MovePlan {
  const sets = log.sets.map(flag)
  const flipped = sets.filter((set, at) => isActive(set) !== isActive(log.sets[at] ?? set))
  const next = { ...log, sets }
  const wanted = new Map<string, { readonly image: NodeImage; readonly by: number }>()
  for (const { changes } of flipped) {
    for (const { path } of changes) if (!wanted.has(path)) wanted.set(path, standingAt(next, path))
  }
  const kept = new Map<string, 'changed-later' | 'in-the-way'>()
  for (const { id, changes } of flipped) {
    for (const { path } of changes) if ((wanted.get(path)?.by ?? 0) > id) kept.set(path, 'changed-later')
  }
  const steps = stepsTo(wanted, tree, kept)
  const changed = steps.map(({ path }) => path)
  for (const path of changed) if (kept.get(path) === 'changed-later') kept.delete(path)
  return {
    log: next,
    steps,
    move: {
      changed: [...new Set(changed)].toSorted(),
      kept: [...kept].map(([path, why]) => ({ path, why })).toSorted(byPath),
    },
  }
}

/** What should stand at a path, and the set that says so (0: what was there before the log). */
function standingAt({ sets, base }: ChangeLog, path: string): { readonly image: NodeImage; readonly by: number } {
  for (let at = sets.length - 1; at >= 0; at--) {
    const set = sets[at]
    if (set === undefined || !isActive(set)) continue
    const change = set.changes.find((one) => one.path === path)
    if (change) return { image: change.after, by: set.id }
  }
  return { image: base.get(path) ?? null, by: 0 }
}

function stepsTo(
  wanted: ReadonlyMap<string, { readonly image: NodeImage }>,
  tree: TreeLook,
  kept: Map<string, 'changed-later' | 'in-the-way'>,
): readonly MoveStep[] {
  const paths = [...wanted.keys()].toSorted()
  const want = (path: string) => wanted.get(path)?.image ?? null
  const gone = new Set<string>()
  const removals: MoveStep[] = []
  // From the deepest up: a folder goes only when nothing stays in it.
  for (const path of paths.toReversed()) {
    const now = tree.imageAt(path)
    const target = want(path)
    if (now === null || sameImage(now, target)) continue
    // A file takes a new content in its place.
    if (now.kind === 'file' && target?.kind === 'file') continue
    if (now.kind === 'directory' && tree.inside(path).some((inner) => !gone.has(inner))) {
      if (target !== null) kept.set(path, 'in-the-way')
      continue
    }
    gone.add(path)
    removals.push({ kind: 'remove', path })
  }
  const made = new Set<string>()
  const isFolder = (path: string) =>
    path === '/' || made.has(path) || (!gone.has(path) && tree.imageAt(path)?.kind === 'directory')
  const creations: MoveStep[] = []
  for (const path of paths) {
    const target = want(path)
    if (target === null || kept.get(path) === 'in-the-way') continue
    const now = gone.has(path) ? null : tree.imageAt(path)
    if (sameImage(now, target) || (target.kind === 'directory' && isFolder(path))) continue
    const missing: string[] = []
    let at = parentOf(path)
    for (; !isFolder(at) && (gone.has(at) || tree.imageAt(at) === null); at = parentOf(at)) missing.push(at)
    if (!isFolder(at)) {
      kept.set(path, 'in-the-way')
      continue
    }
    for (const folder of missing.toReversed()) {
      made.add(folder)
      creations.push({ kind: 'directory', path: folder })
    }
    if (target.kind === 'directory') {
      made.add(path)
      creations.push({ kind: 'directory', path })
    } else creations.push({ kind: 'file', path, image: target })
  }
  return [...removals, ...creations]
}
