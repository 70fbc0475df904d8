import { isRecord } from '@/lib/base/json'
import { loadZipLibrary } from '@/lib/client/files/zip/zip-library'
import { chatsOfObject } from './other-chats'

/*
 * `[{"title":"a",…},{"title":"b",…}]`, of which only the commas at the outermost level matter. A file of half a gigabyte is more
 * than one string can be, and parsing it whole shows no progress: its ends are found by depth alone, byte by byte, and each chat
 * is read by JSON.parse. It does not check what stands between the chats.
 */

interface CutLimits {
  /** Of one chat. */
  readonly maxBytes: number
  /** Of brackets in it. */
  readonly maxDepth: number
}

const usualCutLimits: CutLimits = { maxBytes: 50_000_000, maxDepth: 64 }

export type CutPiece =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'too-large' | 'too-deep' }

interface ChatCutter {
  /** The next bytes of the file; gives each chat that ends in them to `take`. */
  feed(chunk: Uint8Array): void
  /** Whether all that began has ended: else the file was cut off. */
  isWhole(): boolean
  /** Whether it is a list at all; null: nothing of it came yet. */
  isList(): boolean | null
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

export function createChatCutter(take: (piece: CutPiece) => void, limits: CutLimits = usualCutLimits): ChatCutter {
  let depth = 0
  let inText = false
  let escaped = false
  let began = false
  let list: boolean | null = null
  let kept: Uint8Array[] = []
  let size = 0
  let wrong: 'too-large' | 'too-deep' | null = null

  const keep = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > limits.maxBytes) wrong ??= 'too-large'
    // What is left out must not fill the memory either.
    if (wrong) kept = []
    else kept.push(bytes)
  }
  const finish = () => {
    if (wrong) take({ ok: false, why: wrong })
    else {
      const decoder = new TextDecoder()
      const texts = kept.map((bytes) => decoder.decode(bytes, { stream: true }))
      take({ ok: true, text: texts.join('') + decoder.decode() })
    }
    kept = []
    size = 0
    wrong = null
  }

  return {
    feed(chunk) {
      let start = depth >= 2 ? 0 : -1
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (inText) {
          if (escaped) escaped = false
          else if (byte === backslash) escaped = true
          else if (byte === quote) inText = false
          continue
        }
        // White space and a byte order mark may stand before it.
        if (list === null && byte !== undefined && byte > 0x20 && byte < 0x80) list = byte === openBracket
        if (byte === quote) inText = true
        else if (byte === openBrace || byte === openBracket) {
          depth += 1
          began = true
          if (depth === 2) start = at
          if (depth - 1 > limits.maxDepth) wrong ??= 'too-deep'
        } else if (byte === closeBrace || byte === closeBracket) {
          depth -= 1
          if (depth === 1 && start >= 0) {
            keep(chunk.slice(start, at + 1))
            start = -1
            finish()
          }
        }
      }
      if (start >= 0) keep(chunk.slice(start))
    },
    isWhole: () => began && depth === 0 && !inText,
    isList: () => list,
  }
}

/** Where chats stand in a zip: in one file, or since 2026 in several. */
const memberName = /(?:^|\/)conversations(?:-\d+)?\.json$/

/** Unpacked, of all of them: more is no export but a bomb. */
const maxUnpackedBytes = 4_000_000_000

export type ForeignFile = 'whole' | 'cut-off' | 'no-chats'

export interface ReadingPorts {
  readonly onPiece: (piece: CutPiece) => Promise<void> | void
  /** Of the file, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly limits?: CutLimits
}

/**
 * Reads an export as it was saved, zip or JSON, and gives its chats one by one; no more than one of them is held. Rejects where the
 * file can't be read.
 */
export async function readForeignFile(file: Blob, { onPiece, onProgress, limits }: ReadingPorts): Promise<ForeignFile> {
  const isZip = (await file.slice(0, 2).text()) === 'PK'
  if (!isZip) {
    let read = 0
    return readJson(file.stream(), onPiece, limits, (size) => onProgress((read += size) / file.size))
  }
  const library = await loadZipLibrary()
  const reader = new library.ZipReader(new library.BlobReader(file), { filenameValidation: 'tolerant' })
  try {
    const members = []
    for await (const entry of reader.getEntriesGenerator()) {
      if (!entry.directory && memberName.test(entry.filename)) members.push(entry)
    }
    members.sort((a, b) => (a.filename < b.filename ? -1 : 1))
    const total = members.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (total > maxUnpackedBytes) throw new Error('more than an export holds')
    const states: ForeignFile[] = []
    let read = 0
    for (const member of members) {
      const through = new TransformStream<Uint8Array, Uint8Array>()
      const unpacking = member.getData(through.writable)
      // It is told by what reads it.
      unpacking.catch(() => undefined)
      const one = await readJson(through.readable, onPiece, limits, (size) => {
        read += size
        if (read > maxUnpackedBytes) throw new Error('more than an export holds')
        onProgress(total === 0 ? 1 : Math.min(1, read / total))
      })
      await unpacking
      states.push(one)
    }
    if (states.includes('cut-off')) return 'cut-off'
    return states.includes('whole') ? 'whole' : 'no-chats'
  } finally {
    await reader.close()
  }
}

async function readJson(
  stream: ReadableStream<Uint8Array>,
  onPiece: ReadingPorts['onPiece'],
  limits: CutLimits | undefined,
  onBytes: (size: number) => void,
): Promise<ForeignFile> {
  const pieces: CutPiece[] = []
  const cutter = createChatCutter((piece) => pieces.push(piece), limits)
  const reader = stream.getReader()
  // A file that is no list is one object, which is read as a whole.
  const whole: Uint8Array[] = []
  let size = 0
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (cutter.isList() !== false) cutter.feed(step.value)
      if (cutter.isList() === false) {
        pieces.length = 0
        whole.push(step.value)
        size += step.value.length
        if (size > (limits ?? usualCutLimits).maxBytes) return await tooLarge(onPiece)
      }
      for (const piece of pieces.splice(0)) await onPiece(piece)
      onBytes(step.value.length)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (cutter.isList() === false) return readObject(await new Blob(whole.map((part) => part.slice())).text(), onPiece)
  return cutter.isList() === null ? 'no-chats' : cutter.isWhole() ? 'whole' : 'cut-off'
}

async function tooLarge(onPiece: ReadingPorts['onPiece']): Promise<ForeignFile> {
  await onPiece({ ok: false, why: 'too-large' })
  return 'whole'
}

async function readObject(text: string, onPiece: ReadingPorts['onPiece']): Promise<ForeignFile> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'no-chats'
  }
  if (!isRecord(value) || value['format'] !== undefined) return 'no-chats'
  for (const chat of chatsOfObject(value)) await onPiece({ ok: true, text: JSON.stringify(chat) })
  return 'whole'
}
