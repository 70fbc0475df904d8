import { isRecord } from '@/lib/base/json'
import { loadZipLibrary } from '@/lib/client/files/zip/zip-library'
import { chatsOfObject } from './other-chats'

/*
 * `[{"title":"a",…},{"title":"b",…}]`, of which only the commas at the outermost level matter. A file of half a
 * gigabyte exceeds the length of a string, and parsing it as a whole shows no progress. So the ends of chats are found
 * by depth alone, byte by byte, and each chat is read by JSON.parse. Anything else between the chats is reported as a
 * piece that can't be read.
 */

interface CutLimits {
  /** The limit for one chat. */
  readonly maxBytes: number
  /** The nesting of brackets in it. */
  readonly maxDepth: number
}

const usualCutLimits: CutLimits = { maxBytes: 50_000_000, maxDepth: 64 }

export type CutPiece =
  | { readonly ok: true; readonly text: string }
  /** Too large, too deep, or no chat at all: a number, a text, or a line that is no JSON. */
  | { readonly ok: false; readonly why: 'too-large' | 'too-deep' | 'unknown-form' }

interface ChatCutter {
  /** Takes the next bytes of the file, and passes each chat that ends in them to `take`. */
  feed(chunk: Uint8Array): void
  /** Whether everything that began has ended: else the file was cut off. */
  isWhole(): boolean
  /** Whether it is a list at all; null: no bytes came yet. */
  isList(): boolean | null
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]
const comma = 0x2c

export function createChatCutter(take: (piece: CutPiece) => void, limits: CutLimits = usualCutLimits): ChatCutter {
  let depth = 0
  let inText = false
  let escaped = false
  let began = false
  let list: boolean | null = null
  let kept: Uint8Array[] = []
  let size = 0
  let wrong: 'too-large' | 'too-deep' | null = null
  /** Between two commas of the list is a number, a text or another value without brackets. */
  let isLoose = false

  const keep = (bytes: Uint8Array) => {
    size += bytes.length
    if (size > limits.maxBytes) wrong ??= 'too-large'
    // A chat that is left out must not fill the memory either.
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
        // White space and a byte order mark may come first.
        if (list === null && byte !== undefined && byte > 0x20 && byte < 0x80) list = byte === openBracket
        if (depth === 1 && list === true && byte !== undefined) {
          const isEnd = byte === comma || byte === closeBracket
          if (isEnd && isLoose) take({ ok: false, why: 'unknown-form' })
          if (isEnd) isLoose = false
          else if (byte > 0x20 && byte !== openBrace && byte !== openBracket) isLoose = true
        }
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

/** The names of chat files in a zip: one file, or since 2026 several. */
const memberName = /(?:^|\/)conversations(?:-\d+)?\.json$/

/** The unpacked size of all of them: a larger one is no export but a zip bomb. */
const maxUnpackedBytes = 4_000_000_000

export type ForeignFile = 'whole' | 'cut-off' | 'no-chats'

export interface ReadingPorts {
  readonly onPiece: (piece: CutPiece) => Promise<void> | void
  /** The share of the file, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly limits?: CutLimits
}

/**
 * Reads an export as it was saved, zip or JSON, and yields its chats one by one, with only one in memory. Rejects if
 * the file can't be read.
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
      // The reader reports this error.
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
  // A list of messages is one chat.
  let messages: string[] | null = null
  let isFirst = true
  const maxBytes = (limits ?? usualCutLimits).maxBytes
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      if (cutter.isList() !== false) cutter.feed(step.value)
      if (cutter.isList() === false) {
        pieces.length = 0
        whole.push(step.value)
        size += step.value.length
        if (size > maxBytes) return await tooLarge(onPiece)
      }
      for (const piece of pieces.splice(0)) {
        if (isFirst && piece.ok && isMessage(piece.text)) messages = []
        isFirst = false
        if (messages === null) await onPiece(piece)
        else {
          // A text instead of a message is counted as a damaged one.
          const text = piece.ok ? piece.text : JSON.stringify(piece.why)
          size += text.length
          if (size > maxBytes) return await tooLarge(onPiece)
          messages.push(text)
        }
      }
      onBytes(step.value.length)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (cutter.isList() === false) return readObject(await new Blob(whole.map((part) => part.slice())).text(), onPiece)
  if (messages) await onPiece({ ok: true, text: `{"messages":[${messages.join(',')}]}` })
  return cutter.isList() === null ? 'no-chats' : cutter.isWhole() ? 'whole' : 'cut-off'
}

async function tooLarge(onPiece: ReadingPorts['onPiece']): Promise<ForeignFile> {
  await onPiece({ ok: false, why: 'too-large' })
  return 'whole'
}

/** Whether it is a message rather than a chat. */
function isMessage(text: string): boolean {
  const value = parsedOrNull(text)
  return isRecord(value) && typeof value['role'] === 'string' && !Array.isArray(value['messages'])
}

async function readObject(text: string, onPiece: ReadingPorts['onPiece']): Promise<ForeignFile> {
  const value = parsedOrNull(text)
  if (value === null) return readLines(text, onPiece)
  if (!isRecord(value) || value['format'] !== undefined) return 'no-chats'
  for (const chat of chatsOfObject(value)) await onPiece({ ok: true, text: JSON.stringify(chat) })
  return 'whole'
}

/** `{"messages":[…]}` in each line, as training chats are written. */
async function readLines(text: string, onPiece: ReadingPorts['onPiece']): Promise<ForeignFile> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (!isRecord(parsedOrNull(lines[0] ?? ''))) return 'no-chats'
  for (const line of lines) {
    await onPiece(isRecord(parsedOrNull(line)) ? { ok: true, text: line } : { ok: false, why: 'unknown-form' })
  }
  return 'whole'
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
