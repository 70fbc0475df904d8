/** The bytes `at` to `at + size` of a Blob. */
export interface BlobPart {
  readonly blob: Blob
  readonly at: number
  readonly size: number
}

/** The bytes of a file: in memory, or in a Blob, which another thread gets as a handle and reads by itself. */
export type FileBytes = Uint8Array | BlobPart

const chunkBytes = 1_000_000
/** Small files share a Blob: they are read together, this much at a time. */
const windowBytes = 4_000_000
const maxWindows = 4

export const byteCount = (data: FileBytes): number => (data instanceof Uint8Array ? data.byteLength : data.size)

const readPart = async (blob: Blob, at: number, end: number) => new Uint8Array(await blob.slice(at, end).arrayBuffer())

export const readBytes = async (data: FileBytes): Promise<Uint8Array> =>
  data instanceof Uint8Array ? data : readPart(data.blob, data.at, data.at + data.size)

/** Bytes that nobody else refers to. */
export const readCopy = async (data: FileBytes): Promise<Uint8Array> =>
  data instanceof Uint8Array ? data.slice() : readBytes(data)

export type ReadBytes = (data: FileBytes) => Promise<Uint8Array>

/**
 * Reads many files, small ones that lie side by side together. What it gives may share its memory with other files of the
 * same Blob.
 */
export function createByteReader(): ReadBytes {
  const windows = new Map<Blob, { readonly from: number; readonly bytes: Promise<Uint8Array> }>()
  return async (data) => {
    if (data instanceof Uint8Array) return data
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

/** The bytes in pieces. Between two pieces of a Blob the thread does other work. */
async function* chunksOf(data: FileBytes, read: ReadBytes): AsyncGenerator<Uint8Array> {
  const size = byteCount(data)
  if (data instanceof Uint8Array || size <= chunkBytes) return yield await read(data)
  const { blob, at } = data
  for (let from = at; from < at + size; from += chunkBytes)
    yield await readPart(blob, from, Math.min(from + chunkBytes, at + size))
}

/** FNV-1a: finds bytes that may be equal. */
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
    const there =
      other instanceof Uint8Array
        ? other.subarray(from, at)
        : await read({ blob: other.blob, at: other.at + from, size: chunk.byteLength })
    if (chunk.some((byte, index) => byte !== there[index])) return false
  }
  return true
}
