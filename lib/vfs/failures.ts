import { vfsFailure, type VfsFailure } from './vfs-result'
import { makeRefusal } from '@/lib/i18n/t'
import type { VfsEntry } from './vfs'

export interface VfsLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
  /** Of what only the history holds. */
  readonly maxHistoryBytes: number
  /** Change sets that are kept. */
  readonly maxHistorySets: number
}

/** Limits of one conversation's files. */
export const vfsLimits: VfsLimits = {
  maxFileBytes: 50_000_000,
  maxTotalBytes: 500_000_000,
  maxFiles: 20_000,
  maxHistoryBytes: 200_000_000,
  maxHistorySets: 500,
}

/** What every backend refuses alike. */
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
  unreadable: () => vfsFailure('EIO', '/', makeRefusal('vfs.unreadable')),
} as const

/** What a space check needs to know. */
export interface SpaceRequest {
  readonly path: string
  readonly size: number
  /** The file that would be replaced. */
  readonly replaced: VfsEntry | null
  readonly used: { readonly bytes: number; readonly files: number }
}

/** Null when there is room, else the failure: nothing may be written then. */
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
