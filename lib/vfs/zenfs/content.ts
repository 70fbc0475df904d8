import { cutBlocks } from './chunker'
import type { BlockRef } from './records'
import { sha256 } from './sha256'
import { insecureContext } from './storage-failure'

/** A file's bytes, cut and named, ready to be stored. */
export interface Content {
  readonly version: string
  readonly size: number
  readonly blocks: readonly (BlockRef & { readonly bytes: Uint8Array })[]
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** 32 bytes as 43 characters. */
function toKey(digest: Uint8Array): string {
  let key = ''
  for (let at = 0; at < digest.length; at += 3) {
    const word = ((digest[at] ?? 0) << 16) | ((digest[at + 1] ?? 0) << 8) | (digest[at + 2] ?? 0)
    key += alphabet[word >>> 18] ?? ''
    key += alphabet[(word >>> 12) & 63] ?? ''
    if (at + 1 < digest.length) key += alphabet[(word >>> 6) & 63] ?? ''
    if (at + 2 < digest.length) key += alphabet[word & 63] ?? ''
  }
  return key
}

/** Below it, a hash on this thread is sooner there than one from the browser's. */
const shortBytes = 8_192

async function hash(bytes: Uint8Array): Promise<string> {
  // Missing in insecure contexts: a page over plain HTTP from another machine.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) throw new DOMException('hashing is missing', insecureContext)
  if (bytes.byteLength <= shortBytes) return toKey(sha256(bytes))
  return toKey(new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)))
}

/** Says that a file has several blocks: a hash of their names must never pass for the hash of a file's bytes. */
const joinedMark = '+'

export const isJoined = (version: string): boolean => version.startsWith(joinedMark)

/**
 * Cuts and hashes. The bytes are referred to, not copied: they must not change until they are stored. Equal bytes have equal
 * versions. Rejects in an insecure context.
 */
export async function prepareContent(data: Uint8Array): Promise<Content> {
  const blocks = await Promise.all(
    cutBlocks(data).map(async (bytes) => ({ key: await hash(bytes), size: bytes.byteLength, bytes })),
  )
  const [first] = blocks
  const version =
    blocks.length === 1 && first !== undefined
      ? first.key
      : joinedMark + (await hash(new TextEncoder().encode(blocks.map(({ key }) => key).join(','))))
  return { version, size: data.byteLength, blocks }
}
