import { byteCount, checksum, readBytes, readCopy, sameBytes, type FileBytes, type ReadBytes } from './file-bytes'
import type { NodeImage } from './vfs-history'

export type FileImage = NonNullable<NodeImage> & { readonly kind: 'file' }

/** Contents by version: equal bytes share one. `mark` tells the versions from those of other makers. */
export function createBlobs(mark = '') {
  const byVersion = new Map<string, FileBytes>()
  const bySum = new Map<string, string[]>()
  let made = 0
  // One after the other: two that are equal would not find each other.
  let turn: Promise<unknown> = Promise.resolve()

  async function add(data: FileBytes, read: ReadBytes): Promise<FileImage> {
    const size = byteCount(data)
    const sum = `${mark}${size}-${await checksum(data, read)}`
    const twins = bySum.get(sum) ?? []
    for (const version of twins) {
      const known = byVersion.get(version)
      if (known !== undefined && (await sameBytes(known, data, read))) return { kind: 'file', size, version }
    }
    const version = `${sum}-${made++}`
    byVersion.set(version, data)
    bySum.set(sum, [...twins, version])
    return { kind: 'file', size, version }
  }

  return {
    /** Takes a copy of bytes in memory. */
    put(data: FileBytes, read: ReadBytes = readBytes): Promise<FileImage> {
      const own = data instanceof Uint8Array ? data.slice() : data
      const added = turn.then(() => add(own, read))
      turn = added.catch(() => null)
      return added
    },
    get: (version: string): FileBytes | undefined => byVersion.get(version),
    /** Gives a copy. */
    read: (version: string): Promise<Uint8Array> => readCopy(byVersion.get(version) ?? new Uint8Array()),
  }
}
