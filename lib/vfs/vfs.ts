import type { FileBytes } from './file-bytes'
import { type VfsResult, vfsFailure, type VfsFailure } from './vfs-result'
import type { ChangeOrigin, VfsHistory } from './vfs-history'
import { makeRefusal } from '@/lib/i18n/t'

export interface VfsEntry {
  readonly name: string
  readonly kind: 'file' | 'directory'
  /** Bytes; 0 for directories. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** Equal for equal contents, different for different ones; '' for directories. Not a secret, never shown. */
  readonly version: string
}

export interface VfsUsage {
  readonly usedBytes: number
  readonly limitBytes: number
  readonly files: number
}

/** One step of `apply`. Each works like the method with the same name. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly data: FileBytes }
  | { readonly kind: 'makeDirectory'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }

/** A file or folder anywhere below the requested folder. */
export interface VfsTreeEntry extends VfsEntry {
  /** Absolute. */
  readonly path: string
}

/**
 * All files as of one moment, in few Blobs. Passing a Blob on copies no bytes; they are read when it is opened.
 */
export interface VfsSnapshot {
  /** As returned by `tree('/')`. */
  readonly entries: readonly VfsTreeEntry[]
  /** Location of each entry's contents: `blobs[bundle].slice(offset, offset + size)`. A folder has [-1, 0]. */
  readonly places: readonly (readonly [bundle: number, offset: number])[]
  readonly blobs: readonly Blob[]
  /** Set by a read-only view, so that callers know it before the first attempt. */
  readonly isReadOnly?: true
}

/**
 * Read access to the files of one conversation. Paths are absolute, normalised by the implementation
 * (`lib/vfs/path.ts`); a bad path is an error value, never a throw.
 */
export interface ReadableVfs {
  stat(path: string): Promise<VfsResult<VfsEntry>>
  /** Sorted: directories first, then by name. */
  list(path: string): Promise<VfsResult<readonly VfsEntry[]>>
  /**
   * Everything below a folder, excluding the folder itself, as of one moment; each folder before its contents, siblings
   * as in `list`.
   */
  tree(path: string): Promise<VfsResult<readonly VfsTreeEntry[]>>
  read(path: string): Promise<VfsResult<Uint8Array>>
  /** Fast if little has changed since the last one: Blobs with unchanged contents are kept for a while. */
  snapshot(): Promise<VfsResult<VfsSnapshot>>
  usage(): Promise<VfsUsage>
  /** Calls the listener after any change, also by another tab. Returns the unsubscribe function. */
  watch(listener: () => void): () => void
}

/** The result of a change. */
export interface Changed {
  /** The history set that contains it (`ChangeSet.id`), for undo; null if nothing changed, or it was not recorded. */
  readonly changeId: number | null
}

export interface Written extends Changed {
  readonly size: number
  readonly replaced: boolean
  /** As returned by `stat`, until something else changes the file. */
  readonly version: string
}

/**
 * The files of one conversation. A promise that resolves ok means: durable, complete (never torn), visible to other
 * tabs.
 */
export interface Vfs extends ReadableVfs {
  /** Creates parent directories; replaces a whole file atomically. */
  write(path: string, data: Uint8Array): Promise<VfsResult<Written>>
  makeDirectory(path: string): Promise<VfsResult<Changed>>
  /** Removes a file, or a directory with its contents. */
  remove(path: string): Promise<VfsResult<Changed>>
  move(from: string, to: string): Promise<VfsResult<Changed>>
  /**
   * Applies all steps in order, or none of them; they become durable and visible together. Returns the first failure.
   */
  apply(changes: readonly FileChange[]): Promise<VfsResult<Changed>>
  /**
   * The same files; changes made through this view are recorded in the history under `origin`, so that they can be
   * undone.
   * Changes through a view without an origin (the plain `Vfs`, or null) are not recorded: they are not listed and never
   * undone. Their effect on a path is final: undoing or redoing earlier changes no longer affects that path.
   */
  recording(origin: ChangeOrigin | null): Vfs
  readonly history: VfsHistory
  close(): Promise<void>
}

/** The files for code to run on: it sees all files as of one moment, and submits its changes as one list. */
export interface RunFiles extends Pick<ReadableVfs, 'snapshot' | 'usage'> {
  apply(changes: readonly FileChange[]): Promise<VfsResult<unknown>>
}

export interface VfsLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
  /** Limit for contents that only the history holds. */
  readonly maxHistoryBytes: number
  /** Maximum number of change sets that are kept. */
  readonly maxHistorySets: number
  /** A copy never forgets a set: a change over these limits is refused instead. Omitted: not a copy. */
  readonly copy?: { readonly maxBytes: number; readonly maxSets: number }
}

/** Limits of one conversation's files. */
export const vfsLimits: VfsLimits = {
  maxFileBytes: 50_000_000,
  maxTotalBytes: 500_000_000,
  maxFiles: 20_000,
  maxHistoryBytes: 200_000_000,
  maxHistorySets: 500,
}

/**
 * Limits of a copy of one conversation's files. Its sets must fit into the history that receives them when the copy is
 * kept.
 */
export const copyLimits: VfsLimits = { ...vfsLimits, copy: { maxBytes: 64_000_000, maxSets: 200 } }

/** Failures that all backends share. */
export const failures = {
  noFile: (path: string) => vfsFailure('ENOENT', path, makeRefusal('vfs.no-file', { path })),
  noFolder: (path: string) => vfsFailure('ENOENT', path, makeRefusal('vfs.no-folder', { path })),
  nothing: (path: string) => vfsFailure('ENOENT', path, makeRefusal('vfs.nothing', { path })),
  isFolder: (path: string) => vfsFailure('EISDIR', path, makeRefusal('vfs.is-folder', { path })),
  isFile: (path: string) => vfsFailure('ENOTDIR', path, makeRefusal('vfs.is-file', { path })),
  isLink: (path: string) => vfsFailure('ELOOP', path, makeRefusal('vfs.is-link', { path })),
  exists: (path: string) => vfsFailure('EEXIST', path, makeRefusal('vfs.exists', { path })),
  folderExists: (path: string) => vfsFailure('EEXIST', path, makeRefusal('vfs.folder-exists', { path })),
  notEmpty: (path: string) => vfsFailure('ENOTEMPTY', path, makeRefusal('vfs.not-empty', { path })),
  rootStays: () => vfsFailure('EACCES', '/', makeRefusal('vfs.root-stays')),
  rootNotMoved: () => vfsFailure('EACCES', '/', makeRefusal('vfs.root-not-moved')),
  noRoomToMove: () => vfsFailure('EDQUOT', '/', makeRefusal('vfs.no-room-to-move')),
  intoItself: (path: string) => vfsFailure('EINVAL', path, makeRefusal('vfs.into-itself', { path })),
  changedMeanwhile: (path: string) => vfsFailure('EBUSY', path, makeRefusal('vfs.changed-meanwhile', { path })),
  copyFull: () => vfsFailure('EDQUOT', '/', makeRefusal('vfs.copy-full')),
  unreadable: () => vfsFailure('EIO', '/', makeRefusal('vfs.unreadable')),
} as const

/** Input of a space check. */
interface SpaceRequest {
  readonly path: string
  readonly size: number
  /** The file to be replaced. */
  readonly replaced: VfsEntry | null
  readonly used: { readonly bytes: number; readonly files: number }
}

/** Null if there is enough space, else the failure: nothing may be written then. */
export function checkSpace({ path, size, replaced, used }: SpaceRequest, limits: VfsLimits): VfsFailure | null {
  if (size > limits.maxFileBytes) {
    return vfsFailure('EFBIG', path, makeRefusal('vfs.file-too-big', { size, most: limits.maxFileBytes }))
  }
  if (used.bytes - (replaced?.size ?? 0) + size > limits.maxTotalBytes) {
    const values = { size, used: used.bytes, most: limits.maxTotalBytes }
    return vfsFailure('EDQUOT', path, makeRefusal('vfs.full', values))
  }
  if (replaced === null && used.files >= limits.maxFiles) {
    return vfsFailure('EDQUOT', path, makeRefusal('vfs.too-many-files', { files: used.files, most: limits.maxFiles }))
  }
  return null
}
