import type { NodeImage } from './vfs-history'

/** The bytes `at` to `at + size` of a Blob. */
export interface BlobPart {
  readonly blob: Blob
  readonly at: number
  readonly size: number
}

/** The bytes of a file: in memory, or in a Blob, which another thread receives as a handle and reads itself. */
export type FileBytes = Uint8Array | BlobPart

/** Not by `instanceof`: bytes may come from another realm. */
export const isInBlob = (data: FileBytes): data is BlobPart => 'blob' in data

const chunkBytes = 1_000_000
/** Small files share a Blob: they are read together, in windows of this size. */
const windowBytes = 4_000_000
const maxWindows = 4

export const byteCount = (data: FileBytes): number => (isInBlob(data) ? data.size : data.byteLength)

const readPart = async (blob: Blob, at: number, end: number) => new Uint8Array(await blob.slice(at, end).arrayBuffer())

export const readBytes = async (data: FileBytes): Promise<Uint8Array> =>
  isInBlob(data) ? readPart(data.blob, data.at, data.at + data.size) : data

/** A copy of the bytes that nothing else refers to. */
export const readCopy = async (data: FileBytes): Promise<Uint8Array> =>
  isInBlob(data) ? readBytes(data) : data.slice()

export type ReadBytes = (data: FileBytes) => Promise<Uint8Array>

/**
 * Reads many files; small files that are adjacent in a Blob are read together. Results may share memory with other
 * files of the same Blob.
 */
export function createByteReader(): ReadBytes {
  const windows = new Map<Blob, { readonly from: number; readonly bytes: Promise<Uint8Array> }>()
  return async (data) => {
    if (!isInBlob(data)) return data
    const { blob, at, size } = data
    const from = at - (at % windowBytes)
    if (at + size > from + windowBytes) return readBytes(data)
    let window = windows.get(blob)
    if (window?.from !== from) {
      window = { from, bytes: readPart(blob, from, from + windowBytes) }
      windows.delete(blob)
      windows.set(blob, window)
      const [oldest] = windows.keys()
      if (windows.size > maxWindows && oldest) windows.delete(oldest)
    }
    return (await window.bytes).subarray(at - from, at - from + size)
  }
}

/** The bytes in chunks. Between two chunks of a Blob the thread can do other work. */
async function* chunksOf(data: FileBytes, read: ReadBytes): AsyncGenerator<Uint8Array> {
  const size = byteCount(data)
  if (!isInBlob(data) || size <= chunkBytes) return yield await read(data)
  const { blob, at } = data
  for (let from = at; from < at + size; from += chunkBytes)
    yield await readPart(blob, from, Math.min(from + chunkBytes, at + size))
}

/** FNV-1a, to find candidates for equal bytes. */
export async function checksum(data: FileBytes, read: ReadBytes = readBytes): Promise<string> {
  let sum = 0x811c9dc5
  for await (const chunk of chunksOf(data, read)) {
    for (const byte of chunk) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0
  }
  return sum.toString(36)
}

export async function sameBytes(one: FileBytes, other: FileBytes, read: ReadBytes = readBytes): Promise<boolean> {
  if (byteCount(one) !== byteCount(other)) return false
  let at = 0
  for await (const chunk of chunksOf(one, read)) {
    const from = at
    at += chunk.byteLength
    const there = isInBlob(other)
      ? await read({ blob: other.blob, at: other.at + from, size: chunk.byteLength })
      : other.subarray(from, at)
    if (chunk.some((byte, index) => byte !== there[index])) return false
  }
  return true
}

type FileImage = NonNullable<NodeImage> & { readonly kind: 'file' }

/** Contents by version: equal bytes share one version. `mark` distinguishes the versions of different instances. */
export function createBlobs(mark = '') {
  const byVersion = new Map<string, FileBytes>()
  const bySum = new Map<string, string[]>()
  let made = 0
  // One at a time: two equal contents in parallel would not find each other.
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
    /** Copies bytes that are in memory. */
    put(data: FileBytes, read: ReadBytes = readBytes): Promise<FileImage> {
      const own = isInBlob(data) ? data : data.slice()
      const added = turn.then(() => add(own, read))
      turn = added.catch(() => null)
      return added
    },
    get: (version: string): FileBytes | undefined => byVersion.get(version),
    /** Returns a copy. */
    read: (version: string): Promise<Uint8Array> => readCopy(byVersion.get(version) ?? new Uint8Array()),
  }
}
