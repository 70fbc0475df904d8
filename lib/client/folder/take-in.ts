import { freeName } from '../files/place-files'
import { cleanName } from '@/lib/base/untrusted-text/foreign-text'
import { isInside, joinPath, nameOf, parentOf } from '@/lib/vfs/path'
import type { FileChange, Vfs } from '@/lib/vfs/vfs'
import type { VfsFailure } from '@/lib/vfs/vfs-result'
import { baseOf, type FileDifference } from './compare'
import { isNamed, readDisk, type Disk, type DiskContent, type DiskFolderHandle } from './disk'
import type { FolderLink, FolderStore } from './folder-store'
import type { FolderScan } from './scan'

/** `changed`: one side has changed since the comparison; compare again. */
export type TakenIn =
  /** `made`: the relative paths of the copy's files that a conflict renamed. */
  | { readonly ok: true; readonly files: number; readonly made: readonly string[] }
  | { readonly ok: false; readonly why: 'changed'; readonly path: string }
  | { readonly ok: false; readonly why: 'refused'; readonly failure: VfsFailure }

export interface LinkWork {
  /** Records its changes as the user's. */
  readonly vfs: Vfs
  readonly store: FolderStore
  readonly conversationId: string
  readonly newId: () => string
  readonly onProgress?: (bytes: number) => void
  readonly signal?: AbortSignal
}

/** Copies a folder into the files as one change, and stores the link. */
export async function linkFolder(
  handle: DiskFolderHandle,
  scan: FolderScan,
  { vfs, store, conversationId, newId, onProgress, signal }: LinkWork,
): Promise<TakenIn & { readonly link?: FolderLink }> {
  const listed = await vfs.list('/')
  const taken = new Set(listed.ok ? listed.value.map(({ name }) => name) : [])
  const root = joinPath(
    '/',
    freeName(cleanName(handle.name.normalize('NFC')) || 'folder', (name) => taken.has(name)),
  )
  const read: { readonly path: string; readonly disk: string; readonly content: DiskContent }[] = []
  let bytes = 0
  for (const { path, disk, handle: file } of scan.files) {
    signal?.throwIfAborted()
    const content = await readDisk(file).catch(wentMissing)
    if (content === null) continue
    read.push({ path, disk, content })
    onProgress?.((bytes += content.size))
  }
  const made = await vfs.apply([
    { kind: 'makeDirectory', path: root },
    ...scan.empty.map((path): FileChange => ({ kind: 'makeDirectory', path: joinPath(root, path) })),
    ...read.map(({ path, content }): FileChange => ({
      kind: 'write',
      path: joinPath(root, path),
      data: content.bytes,
    })),
  ])
  if (!made.ok) return { ok: false, why: 'refused', failure: made }
  const versions = await versionsBelow(vfs, root)
  const base = read.map(({ path, disk, content }) => baseOf(path, disk, content, versions.get(path) ?? ''))
  const link: FolderLink = { id: newId(), conversationId, name: handle.name, root, handle }
  await store.add(link, base)
  return { ok: true, files: read.length, made: [], link }
}

/** The file was deleted, or became unreadable, after the scan. The next comparison reports it. */
function wentMissing(error: unknown): null {
  if (isNamed(error, 'NotFoundError', 'NotReadableError')) return null
  throw error
}

/** The version of each file in the copy, by relative path. */
async function versionsBelow(vfs: Vfs, root: string): Promise<ReadonlyMap<string, string>> {
  const tree = await vfs.tree(root)
  return new Map(tree.ok ? tree.value.map(({ path, version }) => [path.slice(root.length + 1), version]) : [])
}

/** The choice for a conflict. `both`: the disk's file keeps the name, the copy's file gets another. */
export type Resolution = 'mine' | 'theirs' | 'both'

export interface TakeInWork {
  readonly vfs: Vfs
  readonly store: FolderStore
  readonly disk: Disk
  readonly link: Pick<FolderLink, 'id' | 'root'>
}

/**
 * Copies changes from disk into the copy, as one change of the user, and settles conflicts. A file that stays "mine"
 * counts from now on as changed since this state of the disk, so it can be written.
 */
export async function takeIn(
  incoming: readonly FileDifference[],
  settled: readonly (readonly [FileDifference, Resolution])[],
  { vfs, store, disk, link }: TakeInWork,
): Promise<TakenIn> {
  const rows = [...incoming.map((row) => [row, 'theirs'] as const), ...settled]
  const removals: FileChange[] = []
  const writes: FileChange[] = []
  const seen: { readonly row: FileDifference; readonly content: DiskContent | null }[] = []
  const versions = await versionsBelow(vfs, link.root)
  const taken = new Set(versions.keys())
  const made: string[] = []
  for (const [row, resolution] of rows) {
    const changed = { ok: false, why: 'changed', path: row.path } as const
    const content = await disk.read(row.disk)
    if (content === 'other' || content?.hash !== row.theirs?.hash) return changed
    if ((versions.get(row.path) || null) !== (row.mine?.version ?? null)) return changed
    seen.push({ row, content })
    const path = joinPath(link.root, row.path)
    if (resolution === 'mine') continue
    if (resolution === 'both' && row.mine !== null && row.theirs !== null) {
      const mine = await vfs.read(path)
      if (!mine.ok) return { ok: false, why: 'refused', failure: mine }
      const copy = await freePath(row.path, taken, disk)
      taken.add(copy)
      made.push(copy)
      writes.push({ kind: 'write', path: joinPath(link.root, copy), data: mine.value })
    }
    if (content !== null) writes.push({ kind: 'write', path, data: content.bytes })
    else if (row.mine !== null && resolution === 'theirs') removals.push({ kind: 'remove', path })
  }
  const changes = [...removals, ...emptied(removals, versions, link.root), ...writes]
  if (changes.length > 0) {
    const applied = await vfs.apply(changes)
    if (!applied.ok) return { ok: false, why: 'refused', failure: applied }
  }
  const now = changes.length > 0 ? await versionsBelow(vfs, link.root) : versions
  const isMine = new Set(settled.flatMap(([row, resolution]) => (resolution === 'mine' ? [row.path] : [])))
  await store.update(link.id, {
    // A version that no file has, so "mine" differs from this state of the disk.
    put: seen.flatMap(({ row: { path, disk: name }, content }) =>
      content ? [baseOf(path, name, content, isMine.has(path) ? '' : (now.get(path) ?? ''))] : [],
    ),
    remove: seen.flatMap(({ row, content }) => (content ? [] : [row.path])),
  })
  return { ok: true, files: rows.length, made }
}

/** A free name in the same folder, in the copy and on disk. */
async function freePath(path: string, taken: ReadonlySet<string>, disk: Disk): Promise<string> {
  const absolute = `/${path}`
  const tried = new Set<string>()
  for (;;) {
    const name = freeName(nameOf(absolute), (one) => {
      const at = joinPath(parentOf(absolute), one).slice(1)
      return at === path || taken.has(at) || tried.has(at)
    })
    const at = joinPath(parentOf(absolute), name).slice(1)
    if ((await disk.read(at)) === null) return at
    tried.add(at)
  }
}

/** The folders of the copy that are empty once these files are gone. */
function emptied(removals: readonly FileChange[], versions: ReadonlyMap<string, string>, root: string): FileChange[] {
  const gone = new Set(removals.flatMap((change) => (change.kind === 'remove' ? [change.path] : [])))
  const stay = [...versions].flatMap(([path, version]) => {
    const full = joinPath(root, path)
    return version !== '' && !gone.has(full) ? [full] : []
  })
  const empty = new Set<string>()
  for (const path of gone) {
    for (let folder = parentOf(path); folder !== root; folder = parentOf(folder)) {
      if (stay.some((one) => isInside(one, folder))) break
      empty.add(folder)
    }
  }
  // Removing the outermost folders removes the rest.
  const tops = [...empty].filter((folder) => !empty.has(parentOf(folder)))
  return tops.map((path) => ({ kind: 'remove', path }))
}
