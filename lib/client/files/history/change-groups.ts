import { parentOf, type ChangedPath } from '@/lib/vfs/path'
import type { FileChanges } from '@/lib/shared/conversation/call-record'
import type { Vfs } from '@/lib/vfs/vfs'
import type { PathChange, ChangeOrigin, ChangeSet } from '@/lib/vfs/vfs-history'
import { isActive, sameImage } from '@/lib/vfs/log/change-log'

/** The paths without those folders that are listed only because something in them is. */
export function lowestPaths(paths: readonly string[]): readonly string[] {
  const parents = new Set<string>()
  for (const path of paths) {
    for (let at = parentOf(path); at !== '/' && !parents.has(at); at = parentOf(at)) parents.add(at)
  }
  return paths.filter((path) => !parents.has(path))
}

const maxNamed = 200

/**
 * The file changes of one attempt of a call that were not undone, as far as this browser's history knows; null: none.
 * They are recorded together with the changes themselves, so they exist even if the page died before the call's outcome
 * was stored.
 */
export async function recordedChanges(
  { history }: Pick<Vfs, 'history'>,
  call: { readonly messageId: string; readonly slot: number; readonly attempt: number },
): Promise<FileChanges | null> {
  const listed = await history.list()
  if (!listed.ok) throw new Error(listed.error.message)
  const changes = new Map<string, PathChange>()
  for (const { origin, undone, changes: more } of listed.value.toReversed()) {
    if (undone || origin.kind !== 'call' || origin.messageId !== call.messageId) continue
    if (origin.slot !== call.slot || origin.attempt !== call.attempt) continue
    for (const one of more) {
      changes.set(one.path, { ...one, before: (changes.get(one.path) ?? one).before })
    }
  }
  const named = [...changes.values()].map(changedPath).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return named.length === 0 ? null : { kept: true, changes: named.slice(0, maxNamed), total: named.length }
}

function changedPath({ path, before, after }: PathChange): ChangedPath {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'changed'
  const kind = (after ?? before)?.kind ?? 'file'
  return { path, change, kind, size: after?.kind === 'file' ? after.size : 0 }
}

/** The changes of one call, or of the user at one time: the sets of one origin, which are undone together. */
export interface ChangeGroup {
  /** Stays the same while sets are added. */
  readonly key: string
  readonly origin: ChangeOrigin
  /** Newest first; at least one. */
  readonly sets: readonly ChangeSet[]
  readonly ids: readonly number[]
  /** Epoch milliseconds of its last change. */
  readonly at: number
  /** Each path once, from before the first set to after the last one; sorted by path. */
  readonly changes: readonly PathChange[]
  /** `partly`: some of its sets were undone. */
  readonly undone: 'no' | 'partly' | 'yes'
  readonly offBranch: boolean
}

/** Attempts count separately: a second run's changes are not the first one's. */
const keyOf = ({ id, origin }: ChangeSet): string =>
  origin.kind === 'call' ? `call:${origin.messageId}:${origin.slot}:${origin.attempt}` : `user:${id}`

/** `sets` newest first, as the history lists them; a group is placed by its newest set. */
export function groupChanges(sets: readonly ChangeSet[]): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeSet[]>()
  for (const set of sets) {
    const key = keyOf(set)
    const known = groups.get(key)
    if (known) known.push(set)
    else groups.set(key, [set])
  }
  return [...groups].flatMap(([key, members]) => {
    const [newest] = members
    if (!newest) return []
    const taken = members.filter(({ undone }) => undone).length
    return {
      key,
      origin: newest.origin,
      sets: members,
      ids: members.map(({ id }) => id),
      at: Math.max(...members.map(({ at }) => at)),
      changes: mergeChanges(members),
      undone: taken === 0 ? 'no' : taken === members.length ? 'yes' : 'partly',
      offBranch: newest.offBranch,
    }
  })
}

/** The changes of a call, over all attempts and sets. */
export const changesOfCall = (
  groups: readonly ChangeGroup[],
  messageId: string,
  slot: number,
): readonly ChangeGroup[] =>
  groups.filter(({ origin }) => origin.kind === 'call' && origin.messageId === messageId && origin.slot === slot)

function mergeChanges(newestFirst: readonly ChangeSet[]): readonly PathChange[] {
  const all = new Map<string, PathChange>()
  for (const { changes } of newestFirst.toReversed()) {
    for (const change of changes) {
      const known = all.get(change.path)
      all.set(change.path, known ? { ...change, before: known.before } : change)
    }
  }
  const merged = [...all.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const real = merged.filter(({ before, after }) => !sameImage(before, after))
  return real.length > 0 ? real : merged
}

/** Newer active groups that changed a path of this one: they must be undone too for its files to be restored. */
export function laterChanges(groups: readonly ChangeGroup[], group: ChangeGroup): readonly ChangeGroup[] {
  const paths = new Set(group.changes.map(({ path }) => path))
  const oldest = Math.min(...group.ids)
  return groups.filter(
    (other) =>
      other.key !== group.key &&
      other.sets.some((set) => set.id > oldest && isActive(set) && set.changes.some(({ path }) => paths.has(path))),
  )
}

/** The file changes of one reply's calls, which are undone as one. */
interface ReplyChanges {
  /** Of the shown branch; newest first. */
  readonly groups: readonly ChangeGroup[]
  /** Their sets: the active ones, and the undone ones. */
  readonly active: readonly number[]
  readonly undone: readonly number[]
  /** Files, each once, sorted. */
  readonly files: readonly string[]
}

/** `messageId`: the reply's id. */
export function changesOfReply(groups: readonly ChangeGroup[], messageId: string): ReplyChanges {
  const mine = groups.filter(
    ({ origin, offBranch }) => origin.kind === 'call' && origin.messageId === messageId && !offBranch,
  )
  const sets = mine.flatMap((group) => group.sets)
  const idsOf = (undone: boolean) => sets.filter((set) => set.undone === undone).map(({ id }) => id)
  return {
    groups: mine,
    active: idsOf(false),
    undone: idsOf(true),
    files: filesOf(mine.flatMap((one) => one.changes)),
  }
}

/** The files that calls of the shown branch changed and that were not undone: each once, sorted. */
export const filesOfCalls = (sets: readonly ChangeSet[]): readonly string[] =>
  filesOf(sets.flatMap((set) => (set.origin.kind === 'call' && isActive(set) ? set.changes : [])))

const filesOf = (changes: ChangeSet['changes']): readonly string[] =>
  [
    ...new Set(
      changes.flatMap(({ path, before, after }) => (before?.kind === 'file' || after?.kind === 'file' ? [path] : [])),
    ),
  ].toSorted()

/** A file that does not change when earlier changes are undone, and the later change that determines it. */
interface StoredFile {
  readonly path: string
  readonly by: ChangeOrigin
}

/** Files of these sets that a later change touched: undoing the sets leaves them alone. Sorted by path. */
export function changedLater(sets: readonly ChangeSet[], ids: readonly number[]): readonly StoredFile[] {
  const taken = new Set(ids)
  const newest = new Map<string, ChangeSet>()
  for (const set of sets.toSorted((a, b) => a.id - b.id)) {
    if (isActive(set)) for (const { path } of set.changes) newest.set(path, set)
  }
  const paths = new Set(sets.flatMap((set) => (taken.has(set.id) && isActive(set) ? filesOf(set.changes) : [])))
  return [...paths].toSorted().flatMap((path) => {
    const last = newest.get(path)
    return last && !taken.has(last.id) ? [{ path, by: last.origin }] : []
  })
}

/** The newest change to a file, if a call made it: it is active, or it was undone and no change followed. */
export function lastCallOn(groups: readonly ChangeGroup[], path: string): ChangeGroup | null {
  let last: { readonly group: ChangeGroup; readonly id: number } | null = null
  for (const group of groups) {
    if (group.offBranch) continue
    for (const { id, changes } of group.sets) {
      if ((last === null || id > last.id) && changes.some((change) => change.path === path)) last = { group, id }
    }
  }
  return last?.group.origin.kind === 'call' ? last.group : null
}
