import { formatBytes } from '@/lib/base/format-bytes'
import type { VfsLimits } from './limits'
import type { VfsEntry } from './vfs'
import type { VfsError, VfsErrorCode } from './vfs-result'

export interface VfsFailure {
  readonly ok: false
  readonly error: VfsError
}

export const vfsFailure = (code: VfsErrorCode, path: string, message: string): VfsFailure => ({
  ok: false,
  error: { code, path, message },
})

/** The sentences that every backend says alike. */
export const failures = {
  noFile: (path: string) => vfsFailure('ENOENT', path, `There is no file at ${path}.`),
  noFolder: (path: string) => vfsFailure('ENOENT', path, `There is no folder at ${path}.`),
  nothing: (path: string) => vfsFailure('ENOENT', path, `There is nothing at ${path}.`),
  isFolder: (path: string) => vfsFailure('EISDIR', path, `${path} is a folder, not a file.`),
  isFile: (path: string) => vfsFailure('ENOTDIR', path, `${path} is a file, not a folder.`),
  isLink: (path: string) => vfsFailure('ELOOP', path, `${path} is a link. Links are not followed.`),
  exists: (path: string) => vfsFailure('EEXIST', path, `There is already a file at ${path}.`),
  folderExists: (path: string) => vfsFailure('EEXIST', path, `There is already a folder at ${path}.`),
  notEmpty: (path: string) => vfsFailure('ENOTEMPTY', path, `The folder ${path} is not empty.`),
  isRoot: (verb: string) => vfsFailure('EACCES', '/', `The root folder can’t be ${verb}.`),
  noRoomToMove: () =>
    vfsFailure(
      'EDQUOT',
      '/',
      'There is no room for what would come back. Nothing was changed. Delete files, then try again.',
    ),
  intoItself: (path: string) => vfsFailure('EINVAL', path, `${path} can’t be moved into itself.`),
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
    const room = `a file may hold ${formatBytes(limits.maxFileBytes)}`
    return vfsFailure('EFBIG', path, `There is no room for ${formatBytes(size)}: ${room}. Nothing was written.`)
  }
  if (used.bytes - (replaced?.size ?? 0) + size > limits.maxTotalBytes) {
    const full = `this chat’s files use ${formatBytes(used.bytes)} of ${formatBytes(limits.maxTotalBytes)}`
    return vfsFailure('EDQUOT', path, `There is no room for ${formatBytes(size)}: ${full}. Nothing was written.`)
  }
  if (replaced === null && used.files >= limits.maxFiles) {
    const full = `this chat holds ${used.files} files, and ${limits.maxFiles} is the most it can hold`
    return vfsFailure('EDQUOT', path, `There is no room for another file: ${full}. Nothing was written.`)
  }
  return null
}
