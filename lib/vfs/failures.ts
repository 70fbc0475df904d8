import { vfsFailure, type VfsFailure } from './vfs-failure'
import { vfsRefusal } from '@/lib/words/vfs'
import type { VfsLimits } from './limits'
import type { VfsEntry } from './vfs'

/** What every backend refuses alike. */
export const failures = {
  noFile: (path: string) => vfsFailure('ENOENT', path, vfsRefusal('vfs.no-file', { path })),
  noFolder: (path: string) => vfsFailure('ENOENT', path, vfsRefusal('vfs.no-folder', { path })),
  nothing: (path: string) => vfsFailure('ENOENT', path, vfsRefusal('vfs.nothing', { path })),
  isFolder: (path: string) => vfsFailure('EISDIR', path, vfsRefusal('vfs.is-folder', { path })),
  isFile: (path: string) => vfsFailure('ENOTDIR', path, vfsRefusal('vfs.is-file', { path })),
  isLink: (path: string) => vfsFailure('ELOOP', path, vfsRefusal('vfs.is-link', { path })),
  exists: (path: string) => vfsFailure('EEXIST', path, vfsRefusal('vfs.exists', { path })),
  folderExists: (path: string) => vfsFailure('EEXIST', path, vfsRefusal('vfs.folder-exists', { path })),
  notEmpty: (path: string) => vfsFailure('ENOTEMPTY', path, vfsRefusal('vfs.not-empty', { path })),
  rootStays: () => vfsFailure('EACCES', '/', vfsRefusal('vfs.root-stays')),
  rootNotMoved: () => vfsFailure('EACCES', '/', vfsRefusal('vfs.root-not-moved')),
  noRoomToMove: () => vfsFailure('EDQUOT', '/', vfsRefusal('vfs.no-room-to-move')),
  intoItself: (path: string) => vfsFailure('EINVAL', path, vfsRefusal('vfs.into-itself', { path })),
  unreadable: () => vfsFailure('EIO', '/', vfsRefusal('vfs.unreadable')),
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
    return vfsFailure('EFBIG', path, vfsRefusal('vfs.file-too-big', { size, most: limits.maxFileBytes }))
  }
  if (used.bytes - (replaced?.size ?? 0) + size > limits.maxTotalBytes) {
    const values = { size, used: used.bytes, most: limits.maxTotalBytes }
    return vfsFailure('EDQUOT', path, vfsRefusal('vfs.full', values))
  }
  if (replaced === null && used.files >= limits.maxFiles) {
    return vfsFailure('EDQUOT', path, vfsRefusal('vfs.too-many-files', { files: used.files, most: limits.maxFiles }))
  }
  return null
}
