import { deflateRawSync, crc32 } from 'node:zlib'

/** One entry of a zip that is built byte by byte; omitted fields are as a normal packer writes them. */
export interface HandMadeEntry {
  readonly name: string | Uint8Array
  readonly data?: Uint8Array | string
  readonly method?: number
  readonly flags?: number
  /** The size in the headers; the data may differ. */
  readonly claimedSize?: number
  readonly claimedCrc?: number
  readonly madeBy?: number
  readonly externalAttributes?: number
  /** Uses the bytes of the entry of this number instead of its own. */
  readonly sharesBytesOf?: number
  /** Sizes and offset in a zip64 extra field. */
  readonly zip64?: boolean
}

const utf8Flag = 0x800

/** A zip as bytes, valid or manipulated. */
export function handMadeZip(
  entries: readonly HandMadeEntry[],
  options: { readonly claimedEntries?: number } = {},
): Blob {
  const parts: Uint8Array[] = []
  const central: Uint8Array[] = []
  const offsets: number[] = []
  let at = 0
  const push = (part: Uint8Array) => {
    parts.push(part)
    at += part.byteLength
  }
  for (const entry of entries) {
    const name = typeof entry.name === 'string' ? new TextEncoder().encode(entry.name) : entry.name
    const data =
      typeof entry.data === 'string' ? new TextEncoder().encode(entry.data) : (entry.data ?? new Uint8Array())
    const method = entry.method ?? 8
    const packed = method === 8 ? new Uint8Array(deflateRawSync(data)) : data
    const shared = {
      flags: entry.flags ?? (typeof entry.name === 'string' ? utf8Flag : 0),
      method,
      crc: entry.claimedCrc ?? crc32(data),
      packedSize: packed.byteLength,
      size: entry.claimedSize ?? data.byteLength,
      name,
      zip64: entry.zip64 ?? false,
    }
    const offset = entry.sharesBytesOf === undefined ? at : (offsets[entry.sharesBytesOf] ?? 0)
    offsets.push(offset)
    if (entry.sharesBytesOf === undefined) {
      push(localHeader(shared))
      push(packed)
    }
    central.push(
      centralHeader({
        ...shared,
        offset,
        madeBy: entry.madeBy ?? 0x031e,
        externalAttributes: entry.externalAttributes ?? 0,
      }),
    )
  }
  const start = at
  for (const header of central) push(header)
  push(endRecord({ entries: options.claimedEntries ?? entries.length, size: at - start, offset: start }))
  return new Blob(parts as BlobPart[])
}

interface Header {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly name: Uint8Array
  readonly zip64: boolean
}

const bytes = (...fields: readonly (readonly [value: number, width: 2 | 4 | 8])[]): Uint8Array => {
  const array = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, 0))
  const view = new DataView(array.buffer)
  let at = 0
  for (const [value, width] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else if (width === 4) view.setUint32(at, value, true)
    else view.setBigUint64(at, BigInt(value), true)
    at += width
  }
  return array
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const all32 = 0xffffffff

function localHeader({ flags, method, crc, packedSize, size, name, zip64 }: Header): Uint8Array {
  const extra = zip64 ? bytes([1, 2], [16, 2], [size, 8], [packedSize, 8]) : new Uint8Array()
  return join(
    bytes([0x04034b50, 4], [zip64 ? 45 : 20, 2], [flags, 2], [method, 2], [0, 2], [0x21, 2], [crc, 4]),
    bytes([zip64 ? all32 : packedSize, 4], [zip64 ? all32 : size, 4], [name.byteLength, 2], [extra.byteLength, 2]),
    name,
    extra,
  )
}

function centralHeader(
  header: Header & { readonly offset: number; readonly madeBy: number; readonly externalAttributes: number },
): Uint8Array {
  const { flags, method, crc, packedSize, size, name, zip64, offset, madeBy, externalAttributes } = header
  const extra = zip64 ? bytes([1, 2], [24, 2], [size, 8], [packedSize, 8], [offset, 8]) : new Uint8Array()
  return join(
    bytes([0x02014b50, 4], [madeBy, 2], [zip64 ? 45 : 20, 2], [flags, 2], [method, 2], [0, 2], [0x21, 2], [crc, 4]),
    bytes([zip64 ? all32 : packedSize, 4], [zip64 ? all32 : size, 4], [name.byteLength, 2], [extra.byteLength, 2]),
    bytes([0, 2], [0, 2], [0, 2], [externalAttributes, 4], [zip64 ? all32 : offset, 4]),
    name,
    extra,
  )
}

const endRecord = ({ entries, size, offset }: { entries: number; size: number; offset: number }): Uint8Array =>
  bytes([0x06054b50, 4], [0, 2], [0, 2], [entries, 2], [entries, 2], [size, 4], [offset, 4], [0, 2])
