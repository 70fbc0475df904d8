import type { Refusal } from '@/lib/base/app-error'

/** Codes follow Node's; `message` is a sentence for users and models. */
export type VfsErrorCode =
  | 'ENOENT'
  | 'EISDIR'
  | 'ENOTDIR'
  | 'EEXIST'
  | 'EINVAL'
  | 'EACCES'
  | 'ELOOP'
  | 'ENAMETOOLONG'
  | 'EFBIG'
  | 'EDQUOT'
  | 'ENOSPC'
  | 'ENOTEMPTY'
  | 'EIO'
  | 'EBUSY'
  | 'EROFS'

export interface VfsError extends Refusal {
  readonly code: VfsErrorCode
  readonly path: string
}

export type VfsResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: VfsError }

export interface VfsFailure {
  readonly ok: false
  readonly error: VfsError
}

export const vfsFailure = (code: VfsErrorCode, path: string, refusal: Refusal): VfsFailure => ({
  ok: false,
  error: { code, path, ...refusal },
})
