import { sha256 } from '@noble/hashes/sha2.js'
import type { FileContent } from '../versioned-files'

/** Up to here a hash on this thread is there sooner than one from the browser's. */
const shortBytes = 8_192

async function hash(bytes: Uint8Array): Promise<Uint8Array> {
  // Missing where a page came over plain HTTP from another machine.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (bytes.byteLength <= shortBytes || subtle === undefined) return sha256(bytes)
  return new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
}

/** Bytes by the name that only equal ones have: their SHA-256, as 43 characters. */
export async function nameContent(bytes: Uint8Array): Promise<FileContent> {
  const digest = await hash(bytes)
  const version = btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
  return { version, size: bytes.byteLength, bytes }
}
