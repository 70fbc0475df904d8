import { isActive } from '@/lib/vfs/log/change-log'
import { isInside, nameOf } from '@/lib/vfs/path'
import { type FileChange, type Vfs, failures } from '@/lib/vfs/vfs'
import type { ChangeOrigin, ChangeSet, NodeImage } from '@/lib/vfs/vfs-history'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/** The state of some files after a change of them. */
export interface ArtifactVersion {
  /** The newest change set that belongs to it; 0: the state before the first recorded one. */
  readonly id: number
  /** Epoch milliseconds; null with id 0. */
  readonly at: number | null
  readonly origin: ChangeOrigin | null
}

/**
 * The versions of the files at these paths, oldest first; the last is the current state. Consecutive changes by the
 * calls of one reply form one version: three files that were written together are one page. Undone changes, and those
 * of other branches, are left out.
 * @param newestFirst as the history lists them
 */
export function versionsOf(newestFirst: readonly ChangeSet[], paths: ReadonlySet<string>): readonly ArtifactVersion[] {
  const touching = newestFirst.filter(
    (set) => isActive(set) && set.changes.some(({ path, after }) => paths.has(path) && after?.kind !== 'directory'),
  )
  const versions: ArtifactVersion[] = []
  const [oldest] = touching.slice(-1)
  const stoodBefore = oldest?.changes.some(({ path, before }) => paths.has(path) && before?.kind === 'file') ?? false
  if (stoodBefore) versions.push({ id: 0, at: null, origin: null })
  for (const { id, at, origin } of touching.toReversed()) {
    const last = versions.at(-1)
    const joins = last?.origin?.kind === 'call' && origin.kind === 'call' && last.origin.messageId === origin.messageId
    if (joins) versions.pop()
    versions.push({ id, at, origin })
  }
  return versions
}

/**
 * The files at a version; a file that no change ever touched is as it is now. The tree contains only files that
 * changed.
 */
export function filesAt(
  vfs: Pick<Vfs, 'read' | 'tree' | 'history'>,
  newestFirst: readonly ChangeSet[],
  id: number,
): Pick<Vfs, 'read' | 'tree'> {
  const readSide = (set: ChangeSet, path: string, side: 'before' | 'after'): Promise<VfsResult<Uint8Array>> =>
    imageIn(set, path, side)?.kind === 'file'
      ? vfs.history.read(set.id, path, side)
      : Promise.resolve(failures.noFile(path))
  /** Where the contents of a path are: in a set, on one side of it; null: no change ever touched it. */
  const placeOf = (path: string): { readonly set: ChangeSet; readonly side: 'before' | 'after' } | null => {
    const sets = newestFirst.filter(({ changes }) => changes.some((change) => change.path === path))
    const made = sets.find((set) => isActive(set) && set.id <= id)
    if (made) return { set: made, side: 'after' }
    const oldest = sets.at(-1)
    return oldest ? { set: oldest, side: 'before' } : null
  }
  return {
    async read(path) {
      const place = placeOf(path)
      return place ? readSide(place.set, path, place.side) : vfs.read(path)
    },
    async tree(folder) {
      const now = await vfs.tree(folder)
      if (!now.ok) return now
      const entries = new Map(now.value.map((entry) => [entry.path, entry]))
      for (const path of new Set(newestFirst.flatMap(({ changes }) => changes.map((change) => change.path)))) {
        const place = placeOf(path)
        const image = place ? imageIn(place.set, path, place.side) : null
        if (image?.kind !== 'file' || !isInside(path, folder)) entries.delete(path)
        else entries.set(path, { ...image, path, name: nameOf(path), modifiedAt: place?.set.at ?? 0 })
      }
      return { ok: true, value: [...entries.values()] }
    },
  }
}

const imageIn = ({ changes }: ChangeSet, path: string, side: 'before' | 'after'): NodeImage =>
  changes.find((change) => change.path === path)?.[side] ?? null

export interface PathAtVersion {
  readonly path: string
  /** Null: there was no such file, or there is none. */
  readonly before: Uint8Array | null
  readonly now: Uint8Array | null
}

/** Returns those of the paths whose content differs from a version's. */
export async function changedSinceVersion(
  before: Pick<Vfs, 'read'>,
  now: Pick<Vfs, 'read'>,
  paths: Iterable<string>,
): Promise<readonly PathAtVersion[]> {
  const found = await Promise.all(
    [...paths].map(async (path) => {
      const [old, current] = await Promise.all([before.read(path), now.read(path)])
      return { path, before: old.ok ? old.value : null, now: current.ok ? current.value : null }
    }),
  )
  return found.filter((one) => !isSame(one.before, one.now)).toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** The changes that restore them: one more entry in the history, which can itself be undone. */
export const restoringChanges = (changed: readonly PathAtVersion[]): readonly FileChange[] =>
  changed.map(({ path, before }) =>
    before === null ? { kind: 'remove', path } : { kind: 'write', path, data: before },
  )

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b
  return a.byteLength === b.byteLength && a.every((byte, at) => byte === b[at])
}
