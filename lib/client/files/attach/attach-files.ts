import { makeModelMessage, refusalText, t } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import { documentFormatOf, documentOf, mediaTypeOfDocument } from '@/lib/base/text/document-formats'
import type { DocumentReader } from '@/lib/shared/documents/document-reader'
import { documentHead, hiddenIn, isWithoutText, tokensOfDocument } from '@/lib/shared/documents/document-text'
import { quoted, barredInName, cleanName } from '@/lib/base/untrusted-text/foreign-text'
import { attachmentLimits } from '@/lib/shared/conversation/attached'
import type { Attachment } from '@/lib/shared/conversation/conversation'
import { nameOf, parentOf } from '@/lib/vfs/path'
import { type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import { placeFiles } from '../place-files'
import type { TextEncodingName } from '@/lib/base/text/encoding-names'
import { decodeText } from '@/lib/base/text/text-encoding'
import { imageTypeOf } from '@/lib/shared/conversation/settings/image-type'

/** Enough bytes for the longest beginning, whatever its characters. */
const PEEKED_BYTES = 8_192

interface TextHead {
  readonly text: string
  readonly encoding: TextEncodingName
  /** How many bytes of the file it covers, its byte order mark included; the file's size if nothing is left out. */
  readonly bytes: number
}

/** Returns the beginning of a text, at most `maxChars` and never half a character; null for a file that is not text. */
export function textHead(data: Uint8Array, maxChars: number): TextHead | null {
  const isCut = data.byteLength > PEEKED_BYTES
  const read = decodeText(data.subarray(0, PEEKED_BYTES), isCut)
  if (!read) return null
  const { text, encoding, markBytes } = read
  if (!isCut && text.length <= maxChars) return { text, encoding, bytes: data.byteLength }
  const cut = text.slice(0, maxChars)
  const head = cut.isWellFormed() ? cut : cut.slice(0, -1)
  return { text: head, encoding, bytes: markBytes + bytesIn(head, encoding) }
}

/**
 * Approximate for a legacy encoding: only UTF-8 can be written here, and such texts have one or two bytes per letter.
 */
function bytesIn(text: string, encoding: TextEncodingName): number {
  if (encoding === 'utf-8') return new TextEncoder().encode(text).byteLength
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return text.length * 2
  if (encoding === 'windows-1252') return text.length
  return Array.from(text).reduce((sum, letter) => sum + (letter > '\u007f' ? 2 : 1), 0)
}

/** Extensions whose type browsers don't know, or name differently on each system. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  jsx: 'text/javascript',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  py: 'text/x-python',
  sh: 'text/x-shellscript',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/x-typescript',
  tsv: 'text/tab-separated-values',
  tsx: 'text/x-typescript',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

/**
 * A file's media type, like `text/csv`: by its first bytes for images and documents, then by its name, then by what the
 * browser says, and else text or binary.
 */
export function mediaTypeOf(name: string, data: Uint8Array, claimed: string, isText: boolean): string {
  const detected = imageTypeOf(data) ?? documentOf(data)?.mediaType
  if (detected) return detected
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const known = Object.hasOwn(types, ending) ? types[ending] : undefined
  if (known) return known
  const plain = claimed.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/.test(plain)) return plain
  return isText ? 'text/plain' : 'application/octet-stream'
}

/** The folder of attachments in a conversation's files. */
export const attachmentFolder = '/attachments'

const shownPath = (path: string): string => quoted(path, 80)

export interface OfferedFile {
  /** Relative, as `folder/a.txt`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** The type that the browser gives; may be ''. */
  readonly type: string
  /** Resolves with null if it can't be read: a folder dropped as a file, a file that is gone. */
  readonly read: () => Promise<Uint8Array | null>
}

export interface Attached {
  readonly attachments: readonly Attachment[]
  /** For each file that was left out, a sentence that says why. */
  readonly problems: readonly string[]
}

/**
 * Copies files into the conversation's files, so that they can be sent with a message. Files that can't be copied are
 * named, and the rest is attached. `vfs` records what it does. `attached` are there already.
 */
export async function attachFiles(
  vfs: Vfs,
  offered: readonly OfferedFile[],
  attached: number,
  onProgress: (done: number, of: number) => void,
  documents?: DocumentReader,
): Promise<Attached> {
  const problems: string[] = []
  const attachments: Attachment[] = []
  const room = Math.max(0, attachmentLimits.maxFiles - attached)
  const small = offered.filter(({ path, size }) => {
    if (size <= vfsLimits.maxFileBytes) return true
    const most = vfsLimits.maxFileBytes
    problems.push(t('attach.too-big', { path: shownPath(path), size, most }))
    return false
  })
  if (small.length > room) problems.push(tooMany(small.slice(room)))
  const wanted = small.slice(0, room)
  // Files of one folder are added together, so that they stay together under the name that it gets.
  for (const group of Map.groupBy(wanted, ({ path }) => path.split('/')[0]).values()) {
    const read: { readonly path: string; readonly type: string; readonly data: Uint8Array }[] = []
    for (const { path, type, read: readData } of group) {
      onProgress(attachments.length + read.length, wanted.length)
      const data = await readData()
      // Normalize names as the files do, or a name that looks alike would not count as taken.
      if (data) read.push({ path: cleanName(path.normalize('NFC')), type, data })
      else problems.push(t('attach.unreadable', { path: shownPath(path) }))
    }
    const placed = await placeFiles(vfs, attachmentFolder, read)
    if (!placed.ok) {
      const path = group[0]?.path ?? ''
      const why = placed.error.message
      problems.push(
        group.length === 1
          ? t('attach.refused', { path: shownPath(path), why })
          : t('attach.folder-refused', {
              folder: shownPath(path.split('/')[0] ?? ''),
              files: group.length,
              why,
            }),
      )
      continue
    }
    for (const { path } of group) {
      if (barredInName(path) !== null) problems.push(t('attach.without-marks', { path: shownPath(path) }))
    }
    for (const [index, path] of placed.value.entries()) {
      const file = read[index]
      if (!file) continue
      const text = await readAttached(vfs, path, file.data, documents)
      if (text?.ok === false) problems.push(t('attach.document-unread', { path: shownPath(path), why: text.error }))
      attachments.push(text?.ok ? { ...attachmentOf(path, file), ...text.value } : attachmentOf(path, file))
    }
  }
  return { attachments, problems }
}

type ReadAttached = Required<Pick<Attachment, 'head' | 'document' | 'mediaType'>>

/**
 * The text of a document that is sent with the message; null: the file is none, or can't be read here. Errors are
 * sentences.
 */
async function readAttached(
  vfs: Vfs,
  path: string,
  data: Uint8Array,
  documents: DocumentReader | undefined,
): Promise<Result<ReadAttached, string> | null> {
  const format = documents ? documentFormatOf(path, data) : null
  const stat = format === null ? null : await vfs.stat(path)
  if (!documents || format === null || !stat?.ok) return null
  const read = await documents.read(
    { format, version: stat.value.version, data: async () => data },
    new AbortController().signal,
  )
  if (!read.ok) return err(refusalText(read.error))
  const { unit, total } = read.value
  if (isWithoutText(read.value))
    return err(refusalText(makeModelMessage('told.document.no-text', { path: nameOf(path), pages: total, unit })))
  const { head, whole } = documentHead(read.value, attachmentLimits.maxDocumentHeadChars)
  const document = { unit, total, tokens: tokensOfDocument(read.value), whole, hidden: hiddenIn(read.value) }
  return ok({ head, document, mediaType: mediaTypeOfDocument(format) })
}

function attachmentOf(path: string, { data, type }: { readonly data: Uint8Array; readonly type: string }): Attachment {
  const head = textHead(data, attachmentLimits.maxHeadChars)
  const mediaType = mediaTypeOf(path, data, type, head !== null)
  // A model reads an SVG as text.
  const isImage = mediaType.startsWith('image/') && mediaType !== 'image/svg+xml'
  const file = { path, mediaType, size: data.byteLength, isImage }
  if (isImage || head === null) return { ...file, head: null }
  const { text, encoding, bytes } = head
  const isPlain = encoding === 'utf-8' && new TextEncoder().encode(text).byteLength === bytes
  return { ...file, head: text, ...(!isPlain && { written: { encoding, bytes } }) }
}

function tooMany(left: readonly OfferedFile[]): string {
  const first = shownPath(left[0]?.path ?? '')
  const most = attachmentLimits.maxFiles
  return t('attach.too-many', { first, left: left.length, most })
}

/**
 * Removes an attached file that was not sent, and its folder if that is then empty. Returns a sentence if that failed.
 */
export async function detachFile(vfs: Vfs, path: string): Promise<string | null> {
  const removed = await vfs.remove(path)
  if (!removed.ok && removed.error.code !== 'ENOENT') return removed.error.message
  for (let folder = parentOf(path); folder.startsWith(attachmentFolder); folder = parentOf(folder)) {
    const left = await vfs.list(folder)
    if (!left.ok || left.value.length > 0) break
    await vfs.remove(folder)
  }
  return null
}
