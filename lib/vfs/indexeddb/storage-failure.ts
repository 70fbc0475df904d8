import { vfsFailure, type VfsFailure } from '../failures'

const outOfSpace = new Set(['QuotaExceededError', 'ENOSPC'])
const notAllowed = new Set(['SecurityError', 'InvalidStateError', 'NotAllowedError', 'EACCES', 'UnknownError'])

/** Name of the error that stands for a browser that withholds what files need from an insecure page. */
export const insecureContext = 'InsecureContextError'

/** Names and codes of an error and of those in it: ZenFS closes a file after a failed write, fails again, and wraps both. */
function reasonsOf(thrown: unknown, depth = 0): readonly string[] {
  if (typeof thrown !== 'object' || thrown === null || depth > 4) return []
  const { name, code, error, suppressed, cause } = thrown as Readonly<Record<string, unknown>>
  const own = [name, code].filter((reason) => typeof reason === 'string')
  return [...own, ...[error, suppressed, cause].flatMap((inner) => reasonsOf(inner, depth + 1))]
}

/** Turns what IndexedDB or ZenFS threw into a sentence with the way out. Nothing that was stored before is lost. */
export function describeStorageFailure(thrown: unknown, path: string): VfsFailure {
  const reasons = reasonsOf(thrown)
  if (reasons.some((reason) => outOfSpace.has(reason))) {
    const way = 'Delete files or old chats, or free space on this device, then try again.'
    return vfsFailure('ENOSPC', path, `The browser has no room left for this chat’s files. Nothing was changed. ${way}`)
  }
  if (reasons.includes(insecureContext)) {
    const way = 'Open Nod over HTTPS, or on localhost.'
    return vfsFailure('EIO', path, `The browser keeps files only for secure pages. ${way}`)
  }
  const { message } = (thrown ?? {}) as { readonly message?: unknown }
  const details = typeof message === 'string' && message !== '' ? ` (${message})` : ''
  if (reasons.some((reason) => notAllowed.has(reason))) {
    const way = 'Allow site data for this page, or leave private browsing, then reload.'
    return vfsFailure('EIO', path, `The browser refused to store this chat’s files${details}. ${way}`)
  }
  return vfsFailure('EIO', path, `This chat’s files could not be reached${details}. Reload the page and try again.`)
}
