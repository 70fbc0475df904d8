import { makeRefusal } from '@/lib/i18n/t'
import { EarlierFilesError } from './database'
import { vfsFailure, type VfsFailure } from '../vfs-result'

const notAllowed = new Set(['SecurityError', 'InvalidStateError', 'NotAllowedError', 'UnknownError'])

/** Turns what IndexedDB threw into a sentence with the way out. Nothing that was stored before is lost. */
export function describeStorageFailure(thrown: unknown, path: string): VfsFailure {
  if (thrown instanceof EarlierFilesError) return vfsFailure('EIO', path, makeRefusal('vfs.earlier-version'))
  const { name, message } = (thrown ?? {}) as { readonly name?: unknown; readonly message?: unknown }
  if (name === 'QuotaExceededError') return vfsFailure('ENOSPC', path, makeRefusal('vfs.browser-full'))
  const details = typeof message === 'string' ? message : ''
  return typeof name === 'string' && notAllowed.has(name)
    ? vfsFailure('EIO', path, makeRefusal('vfs.browser-refused', { details }))
    : vfsFailure('EIO', path, makeRefusal('vfs.unreachable', { details }))
}
