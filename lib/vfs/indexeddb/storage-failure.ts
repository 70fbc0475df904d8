import { vfsFailure, type VfsFailure } from '../failures'

const notAllowed = new Set(['SecurityError', 'InvalidStateError', 'NotAllowedError', 'UnknownError'])

/** Turns what IndexedDB threw into a sentence with the way out. Nothing that was stored before is lost. */
export function describeStorageFailure(thrown: unknown, path: string): VfsFailure {
  const { name, message } = (thrown ?? {}) as { readonly name?: unknown; readonly message?: unknown }
  if (name === 'QuotaExceededError') {
    const way = 'Delete files or old chats, or free space on this device, then try again.'
    return vfsFailure('ENOSPC', path, `The browser has no room left for this chat’s files. Nothing was changed. ${way}`)
  }
  const details = typeof message === 'string' && message !== '' ? ` (${message})` : ''
  if (typeof name === 'string' && notAllowed.has(name)) {
    const way = 'Allow site data for this page, or leave private browsing, then reload.'
    return vfsFailure('EIO', path, `The browser refused to store this chat’s files${details}. ${way}`)
  }
  return vfsFailure('EIO', path, `This chat’s files could not be reached${details}. Reload the page and try again.`)
}
