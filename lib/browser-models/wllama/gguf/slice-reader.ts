/** The file ended before what was asked for: it is shorter than its own head says. */
export class EndOfFile extends Error {
  override readonly name = 'EndOfFile'
}

const SLICE_BYTES = 1024 * 1024

/** Reads a file from its beginning, a slice at a time; what was passed is let go. Numbers are little-endian. */
export function createSliceReader(file: Blob) {
  let start = 0
  let view = new DataView(new ArrayBuffer(0))
  let at = 0

  async function need(bytes: number): Promise<void> {
    if (view.byteLength - at >= bytes) return
    start += at
    at = 0
    if (start + bytes > file.size) throw new EndOfFile(`wanted ${bytes} bytes at ${start} of ${file.size}`)
    view = new DataView(await file.slice(start, start + Math.max(bytes, SLICE_BYTES)).arrayBuffer())
  }

  const take = async <T>(bytes: number, read: (at: number) => T): Promise<T> => {
    await need(bytes)
    const value = read(at)
    at += bytes
    return value
  }

  return {
    /** How much of the file was read. */
    position: () => start + at,
    u8: () => take(1, (place) => view.getUint8(place)),
    u32: () => take(4, (place) => view.getUint32(place, true)),
    i32: () => take(4, (place) => view.getInt32(place, true)),
    f32: () => take(4, (place) => view.getFloat32(place, true)),
    /** Beyond 2^53 a number of ours loses its last digits: no file is that long, and the check for its end says so. */
    u64: async () => Number(await take(8, (place) => view.getBigUint64(place, true))),
    text: (bytes: number) =>
      take(bytes, (place) => new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + place, bytes))),
    /** Goes on behind them without reading them. Throws EndOfFile where the file ends before. */
    async skip(bytes: number): Promise<void> {
      if (at + bytes <= view.byteLength) {
        at += bytes
        return
      }
      start += at + bytes
      at = 0
      view = new DataView(new ArrayBuffer(0))
      if (start > file.size) throw new EndOfFile(`skipped to ${start} of ${file.size}`)
    },
  }
}

export type SliceReader = ReturnType<typeof createSliceReader>
