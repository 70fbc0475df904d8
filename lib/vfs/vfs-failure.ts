import type { Refusal } from '@/lib/base/app-error'
import type { VfsError, VfsErrorCode } from './vfs-result'

export interface VfsFailure {
  readonly ok: false
  readonly error: VfsError
}

export const vfsFailure = (code: VfsErrorCode, path: string, refusal: Refusal): VfsFailure => ({
  ok: false,
  error: { code, path, ...refusal },
})
