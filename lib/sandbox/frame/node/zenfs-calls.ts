import { caches, fs as zenfs } from './zenfs'
import { readThrown, type Functions } from './node-error'

/* ZenFS's own functions by their names, and what has to be known of its files before one of them is called. */

export const zen = zenfs as unknown as Functions
export const zenfsCall = (name: string, ...args: readonly unknown[]): unknown => zen[name]?.(...args)
export const { constants } = zenfs

/** Fails with ENOENT as a call on the path itself would. */
export const isFolderAt = (path: string) => (zenfsCall('statSync', path) as { isDirectory(): boolean }).isDirectory()
export const kindAt = (path: string): 'file' | 'folder' | null => {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch {
    return null
  }
}

/** Null when nothing is there; fails where a file stands on the way. */
export function kindOrThrow(path: string): 'file' | 'folder' | null {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch (thrown) {
    if (readThrown(thrown)?.code !== 'ENOENT') throw thrown
    return null
  }
}

/**
 * ZenFS holds what is written until the file is closed. When the layer refuses it then (no room, read only), it would hold it for
 * good, and show it: it is let go of, so that what is seen is what is there.
 */
export function releaseRefused(): void {
  for (const cache of caches.values() as Iterable<unknown> as Iterable<HeldFiles>) {
    for (const node of Array.from(cache.byIno.values())) {
      if (!node.dirty) continue
      node.dirtyRanges = []
      node.metadataDirty = false
      cache.evict(node)
    }
  }
}
/** What is internal of a cache of ZenFS's. */
interface HeldFiles {
  readonly byIno: ReadonlyMap<number, { readonly dirty: boolean; dirtyRanges: unknown[]; metadataDirty: boolean }>
  evict(node: unknown): void
}
export const refusals = new Set(['EROFS', 'EFBIG', 'ENOSPC'])

export function closeIgnoringErrors(fd: unknown): void {
  try {
    zenfsCall('closeSync', fd)
  } catch {
    // What could not be written was said before, or is of no use any more.
  }
}
