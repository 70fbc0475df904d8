import { isActive } from '@/lib/vfs/log/change-log'
import type { ChangeOrigin, ChangeSet } from '@/lib/vfs/vfs-history'
import type { ChangeGroup } from './change-groups'

/** What the calls of one reply did to files, to be taken back as one. */
export interface ReplyChanges {
  /** Of the branch that is shown; newest first. */
  readonly groups: readonly ChangeGroup[]
  /** Of their sets: those that still stand, and those that were taken back. */
  readonly standing: readonly number[]
  readonly undone: readonly number[]
  /** Files, each once, sorted. */
  readonly files: readonly string[]
}

/** `messageId`: of the reply. */
export function changesOfReply(groups: readonly ChangeGroup[], messageId: string): ReplyChanges {
  const mine = groups.filter(
    ({ origin, offBranch }) => origin.kind === 'call' && origin.messageId === messageId && !offBranch,
  )
  const sets = mine.flatMap((group) => group.sets)
  const idsOf = (undone: boolean) => sets.filter((set) => set.undone === undone).map(({ id }) => id)
  return {
    groups: mine,
    standing: idsOf(false),
    undone: idsOf(true),
    files: filesOf(mine.flatMap((one) => one.changes)),
  }
}

/** The files that calls of the shown branch changed, and that were not taken back: each once, sorted. */
export const filesOfCalls = (sets: readonly ChangeSet[]): readonly string[] =>
  filesOf(sets.flatMap((set) => (set.origin.kind === 'call' && isActive(set) ? set.changes : [])))

const filesOf = (changes: ChangeSet['changes']): readonly string[] =>
  [
    ...new Set(
      changes.flatMap(({ path, before, after }) => (before?.kind === 'file' || after?.kind === 'file' ? [path] : [])),
    ),
  ].toSorted()

/** A file that stays as it is, whatever is taken back below it, and whose change keeps it so. */
export interface StoredFile {
  readonly path: string
  readonly by: ChangeOrigin
}

/** Files of these sets that something else changed again later: taking the sets back does not touch them. Sorted by path. */
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

/** The newest change to a file, where a call made it: it stands, or it was taken back and nothing came after it. */
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
