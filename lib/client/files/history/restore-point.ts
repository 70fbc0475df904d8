import type { ChangeSet, NodeImage } from '@/lib/vfs/vfs-history'
import { isActive, sameImage } from '@/lib/vfs/log/change-log'
import { isInside } from '@/lib/vfs/path'
import type { Vfs, VfsTreeEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** A message as a place in the tree. */
export interface TreeMessage {
  readonly id: string
  readonly parentId: string | null
}

/**
 * The sets that came after a message: those of the messages below it, and manual changes meanwhile. The changes of the
 * message's own calls, and manual changes while it was the last one, belong to it. `messageId` null: before the first
 * message.
 */
export function setsAfter(
  sets: readonly ChangeSet[],
  tree: ReadonlyMap<string, TreeMessage>,
  messageId: string | null,
): readonly ChangeSet[] {
  const isAfter = (id: string | null): boolean => id !== messageId && isBelow(tree, id, messageId)
  const sure = sets.filter(({ origin }) => isAfter(origin.messageId))
  // A manual change on another branch has no place on this one: it counts if it is later than a set that has one.
  const first = Math.min(...sure.map(({ id }) => id))
  return sets.filter(
    (set) =>
      sure.includes(set) ||
      (set.origin.kind === 'user' && set.id > first && !isBelow(tree, messageId, set.origin.messageId)),
  )
}

/** Whether `id` is `ancestor` or is below it; every message is below null. */
function isBelow(tree: ReadonlyMap<string, TreeMessage>, id: string | null, ancestor: string | null): boolean {
  const seen = new Set<string>()
  for (let at = id; at !== null && !seen.has(at); at = tree.get(at)?.parentId ?? null) {
    if (at === ancestor) return true
    seen.add(at)
  }
  return ancestor === null
}

/** The sets that a restore of the files undoes. */
export const activeChanges = (sets: readonly ChangeSet[]): readonly ChangeSet[] =>
  sets.filter(({ undone, offBranch }) => !undone && !offBranch)

export interface PreviewedPath {
  readonly path: string
  /** `created`: it is restored; `deleted`: it is removed; `changed`: its contents are reverted. */
  readonly change: 'created' | 'changed' | 'deleted'
  readonly kind: 'file' | 'directory'
}

/** What a move of the history would do to the current files, sorted by path; nothing is changed. */
export async function previewMove(
  vfs: Vfs,
  flag: (set: ChangeSet) => ChangeSet,
): Promise<VfsResult<readonly PreviewedPath[]>> {
  const [listed, tree] = await Promise.all([vfs.history.list(), vfs.tree('/')])
  if (!listed.ok) return listed
  if (!tree.ok) return tree
  return { ok: true, value: planPreview(listed.value, tree.value, flag) }
}

/** `newestFirst` as the history lists it. A path that differs from the history is left out, as in the move. */
function planPreview(
  newestFirst: readonly ChangeSet[],
  tree: readonly VfsTreeEntry[],
  flag: (set: ChangeSet) => ChangeSet,
): readonly PreviewedPath[] {
  const entries = new Map(tree.map((entry) => [entry.path, entry]))
  const imageAt = (path: string): NodeImage => {
    const entry = entries.get(path)
    if (!entry) return null
    return entry.kind === 'directory'
      ? { kind: 'directory' }
      : { kind: 'file', size: entry.size, version: entry.version }
  }
  const now = imagesAfter(newestFirst)
  const changed = [...imagesAfter(newestFirst.map(flag))].flatMap(([path, image]): readonly PreviewedPath[] => {
    const [recorded, is] = [now.get(path) ?? null, imageAt(path)]
    if (sameImage(image, is) || !sameImage(recorded, is)) return []
    const change = is === null ? 'created' : image === null ? 'deleted' : 'changed'
    return [{ path, change, kind: (image ?? is)?.kind ?? 'file' }]
  })
  const goes = new Set(changed.filter(({ change }) => change === 'deleted').map(({ path }) => path))
  // A folder is deleted only if nothing stays in it.
  const stays = (folder: string) =>
    tree.some(({ path }) => path !== folder && isInside(path, folder) && !goes.has(path))
  return changed
    .filter(({ path, kind, change }) => kind === 'file' || change !== 'deleted' || !stays(path))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The node at each path: from the newest active set, else what the oldest set found there. */
function imagesAfter(newestFirst: readonly ChangeSet[]): ReadonlyMap<string, NodeImage> {
  const expected = new Map<string, NodeImage>()
  for (const { changes } of newestFirst) for (const { path, before } of changes) expected.set(path, before)
  for (const set of newestFirst.toReversed()) {
    if (isActive(set)) for (const { path, after } of set.changes) expected.set(path, after)
  }
  return expected
}
