import type { Content } from '../versioned-files'
import { insecureContext } from './storage-failure'

/** Bytes by the name that only equal ones have: their SHA-256, as 43 characters. Rejects in an insecure context. */
export async function nameContent(bytes: Uint8Array): Promise<Content> {
  // Missing in insecure contexts: a page over plain HTTP from another machine.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) throw new DOMException('hashing is missing', insecureContext)
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  const version = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  return { version, size: bytes.byteLength, bytes }
}
