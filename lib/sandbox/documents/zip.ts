import { documentLimits, type DocumentLimits } from '../document'
import { FlawedDocument } from './flaw'

/*
 * The members of a zip by name, unpacked when they are read. The sizes in the archive are not trusted: bytes are
 * counted as they arrive, and unpacked bytes count towards one budget for all members.
 */

export interface Zip {
  readonly names: readonly string[]
  /** Null: there is no such member. Throws `FlawedDocument`. */
  read(name: string): Promise<Uint8Array | null>
}

/** Whether an office file has programs of its own, whatever its name: Visual Basic, macro sheets, Basic or scripts. */
export const hasMacros = ({ names }: Pick<Zip, 'names'>): boolean =>
  names.some((name) =>
    /(?:^|\/)vbaProject\.bin$|^xl\/macrosheets\/|^Basic\/.+\/(?!script-l[bc]\.xml$)[^/]+$|^Scripts\/.*[^/]$/i.test(
      name,
    ),
  )

interface Member {
  readonly method: number
  readonly isLocked: boolean
  readonly packed: number
  readonly at: number
}

/** Chunk size for the unpacker: one chunk expands to at most a thousand times as much. */
const pieceBytes = 8_192

const endMark = 0x06054b50
const memberMark = 0x02014b50

const broken = () => new FlawedDocument('broken')

function findEnd(view: DataView): number {
  const last = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= last; at--) if (view.getUint32(at, true) === endMark) return at
  throw broken()
}

function membersOf(data: Uint8Array, view: DataView, limits: DocumentLimits): ReadonlyMap<string, Member> {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > limits.members) throw new FlawedDocument('too-large')
  const members = new Map<string, Member>()
  let at = view.getUint32(end + 16, true)
  for (let n = 0; n < count; n++) {
    if (at + 46 > data.length || view.getUint32(at, true) !== memberMark) throw broken()
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number]
    const name = new TextDecoder().decode(data.subarray(at + 46, at + 46 + nameLength))
    members.set(name, {
      isLocked: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + extraLength + commentLength
  }
  return members
}

/** Stops as soon as there are more than `most` bytes. */
async function unpack(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw')
  const writer = stream.writable.getWriter()
  const reader = (stream.readable as ReadableStream<Uint8Array>).getReader()
  const feed = async () => {
    for (let at = 0; at < packed.length; at += pieceBytes) await writer.write(packed.slice(at, at + pieceBytes))
    await writer.close()
  }
  // Errors in the bytes show up where they are read.
  feed().catch(() => {})
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      size += piece.value.byteLength
      if (size > most) throw new FlawedDocument('too-large')
      pieces.push(piece.value)
    }
  } catch (thrown) {
    void reader.cancel().catch(() => {})
    throw thrown instanceof FlawedDocument ? thrown : broken()
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}

/** Throws `FlawedDocument`. */
export function openZip(data: Uint8Array, limits: DocumentLimits = documentLimits): Zip {
  if (data.length < 22) throw broken()
  // An office file with a password is an OLE container.
  if (data[0] === 0xd0 && data[1] === 0xcf) throw new FlawedDocument('locked')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const members = membersOf(data, view, limits)
  let left = limits.unpackedBytes
  return {
    names: [...members.keys()],
    async read(name) {
      const member = members.get(name)
      if (member === undefined) return null
      if (member.isLocked) throw new FlawedDocument('locked')
      if (member.at + 30 > data.length) throw broken()
      const start = member.at + 30 + view.getUint16(member.at + 26, true) + view.getUint16(member.at + 28, true)
      const packed = data.subarray(start, start + member.packed)
      if (packed.length < member.packed) throw broken()
      const most = Math.min(left, limits.memberBytes)
      if (member.method !== 0 && member.method !== 8) throw broken()
      const bytes = member.method === 8 ? await unpack(packed, most) : packed
      if (bytes.byteLength > most) throw new FlawedDocument('too-large')
      left -= bytes.byteLength
      return bytes
    },
  }
}
