import type { TextEncodingName } from '@/lib/base/text/encoding-names'
import { decodeText } from '@/lib/base/text/text-encoding'
import { documentFormatOf, mediaTypeOfDocument, type DocumentFormat } from '@/lib/base/text/document-formats'
import { describeBinary } from '@/lib/shared/tools/refuse'
import { nameOf } from '@/lib/vfs/path'

/** Languages that the editor can highlight. */
export type CodeLanguage =
  | 'javascript'
  | 'jsx'
  | 'typescript'
  | 'tsx'
  | 'json'
  | 'markdown'
  | 'html'
  | 'css'
  | 'python'
  | 'xml'
  | 'yaml'
  | 'sql'

/** How a file can be viewed. All but `image`, `document` and `binary` are text. */
export type FileView =
  | 'text'
  | 'markdown'
  | 'table'
  | 'json'
  | 'html'
  | 'svg'
  | 'diagram'
  | 'image'
  | 'document'
  | 'binary'

export interface FileKind {
  readonly view: FileView
  /** For people, as "Markdown" or "PNG image". */
  readonly words: string
  readonly mimeType: string
  readonly language: CodeLanguage | null
  /** The encoding of a text that is not UTF-8. */
  readonly encoding?: TextEncodingName
}

interface Ending {
  readonly view?: FileView
  readonly words: string
  readonly mimeType?: string
  readonly language?: CodeLanguage
}

const javascript: Ending = { words: 'JavaScript', mimeType: 'text/javascript', language: 'javascript' }
const typescript: Ending = { words: 'TypeScript', language: 'typescript' }
const html: Ending = { view: 'html', words: 'HTML', mimeType: 'text/html', language: 'html' }
const diagram: Ending = { view: 'diagram', words: 'Mermaid diagram', mimeType: 'text/vnd.mermaid' }
const yaml: Ending = { words: 'YAML', mimeType: 'application/yaml', language: 'yaml' }
const json: Ending = { view: 'json', words: 'JSON', mimeType: 'application/json', language: 'json' }
const markdown: Ending = { view: 'markdown', words: 'Markdown', mimeType: 'text/markdown', language: 'markdown' }

const endings: Readonly<Record<string, Ending>> = {
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: { ...javascript, language: 'jsx' },
  ts: typescript,
  mts: typescript,
  cts: typescript,
  tsx: { ...typescript, language: 'tsx' },
  json,
  geojson: json,
  ipynb: { ...json, words: 'Jupyter notebook' },
  webmanifest: json,
  map: json,
  jsonl: { words: 'JSON Lines', mimeType: 'application/jsonl', language: 'json' },
  ndjson: { words: 'JSON Lines', mimeType: 'application/jsonl', language: 'json' },
  jsonc: { words: 'JSON with comments', language: 'json' },
  md: markdown,
  markdown,
  html,
  htm: html,
  css: { words: 'CSS', mimeType: 'text/css', language: 'css' },
  py: { words: 'Python', mimeType: 'text/x-python', language: 'python' },
  xml: { words: 'XML', mimeType: 'application/xml', language: 'xml' },
  svg: { view: 'svg', words: 'SVG image', mimeType: 'image/svg+xml', language: 'xml' },
  mmd: diagram,
  mermaid: diagram,
  yaml,
  yml: yaml,
  sql: { words: 'SQL', mimeType: 'application/sql', language: 'sql' },
  csv: { view: 'table', words: 'CSV table', mimeType: 'text/csv' },
  tsv: { view: 'table', words: 'TSV table', mimeType: 'text/tab-separated-values' },
}

interface Signature {
  readonly at?: number
  readonly bytes: string
  readonly also?: { readonly at: number; readonly bytes: string }
  readonly view: 'image' | 'binary'
  readonly words: string
  readonly mimeType: string
}

/** First bytes of formats. Text that happens to begin like one is still text (`also` and `view` tell them apart). */
const signatures: readonly Signature[] = [
  { bytes: '\x89PNG\r\n\x1a\n', view: 'image', words: 'PNG image', mimeType: 'image/png' },
  { bytes: '\xff\xd8\xff', view: 'image', words: 'JPEG image', mimeType: 'image/jpeg' },
  { bytes: 'GIF87a', view: 'image', words: 'GIF image', mimeType: 'image/gif' },
  { bytes: 'GIF89a', view: 'image', words: 'GIF image', mimeType: 'image/gif' },
  { bytes: 'RIFF', also: { at: 8, bytes: 'WEBP' }, view: 'image', words: 'WebP image', mimeType: 'image/webp' },
  { at: 4, bytes: 'ftypavif', view: 'image', words: 'AVIF image', mimeType: 'image/avif' },
  { bytes: 'BM', also: { at: 6, bytes: '\0\0\0\0' }, view: 'image', words: 'BMP image', mimeType: 'image/bmp' },
  { bytes: '\0\0\x01\0', view: 'image', words: 'icon', mimeType: 'image/x-icon' },
  { bytes: 'PK\x03\x04', view: 'binary', words: 'zip archive', mimeType: 'application/zip' },
  { bytes: 'PK\x05\x06', view: 'binary', words: 'empty zip archive', mimeType: 'application/zip' },
  { bytes: '\x1f\x8b', view: 'binary', words: 'gzip data', mimeType: 'application/gzip' },
  { bytes: '7z\xbc\xaf\x27\x1c', view: 'binary', words: '7-Zip archive', mimeType: 'application/x-7z-compressed' },
  { bytes: 'SQLite format 3\0', view: 'binary', words: 'SQLite database', mimeType: 'application/vnd.sqlite3' },
  { bytes: '\0asm', view: 'binary', words: 'WebAssembly module', mimeType: 'application/wasm' },
  { bytes: 'RIFF', also: { at: 8, bytes: 'WAVE' }, view: 'binary', words: 'WAV audio', mimeType: 'audio/wav' },
  { bytes: 'ID3', view: 'binary', words: 'MP3 audio', mimeType: 'audio/mpeg' },
  { bytes: 'OggS', view: 'binary', words: 'Ogg audio or video', mimeType: 'application/ogg' },
  { bytes: 'fLaC', view: 'binary', words: 'FLAC audio', mimeType: 'audio/flac' },
  { at: 4, bytes: 'ftyp', view: 'binary', words: 'MP4 video or audio', mimeType: 'video/mp4' },
  { bytes: '\x1aE\xdf\xa3', view: 'binary', words: 'WebM or Matroska video', mimeType: 'video/webm' },
]

const documentWords: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'PDF document',
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
  odt: 'OpenDocument text',
  ods: 'OpenDocument spreadsheet',
  odp: 'OpenDocument presentation',
  epub: 'EPUB book',
  rtf: 'RTF document',
}

/** What a file is: by its bytes if they show it, else by its extension. */
export function kindOfFile(path: string, data: Uint8Array): FileKind {
  const name = nameOf(path)
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
  // PDFs, zips and similar formats may contain only text characters; `describeBinary` recognizes them.
  if (describeBinary(data) === null) return textKind(ending)
  const format = documentFormatOf(path, data)
  if (format !== null)
    return { view: 'document', words: documentWords[format], mimeType: mediaTypeOfDocument(format), language: null }
  const known = signatures.find(
    ({ at = 0, bytes, also }) => holds(data, at, bytes) && (also === undefined || holds(data, also.at, also.bytes)),
  )
  if (known === undefined) {
    const read = decodeText(data)
    if (read !== null) return { ...textKind(ending), encoding: read.encoding }
    return { view: 'binary', words: 'binary data', mimeType: 'application/octet-stream', language: null }
  }
  const { view, mimeType } = known
  const words = known.mimeType === 'application/zip' && ending === 'jar' ? 'Java archive' : known.words
  return { view, words, mimeType, language: null }
}

/** The kind of a file with this name if it contains text. */
function textKind(ending: string): FileKind {
  const {
    view = 'text',
    words,
    mimeType = 'text/plain',
    language = null,
  } = Object.hasOwn(endings, ending) ? (endings[ending] ?? plain) : plain
  return { view, words, mimeType, language }
}

const plain: Ending = { words: 'text' }

function holds(data: Uint8Array, at: number, bytes: string): boolean {
  for (let index = 0; index < bytes.length; index++) {
    if (data[at + index] !== bytes.charCodeAt(index)) return false
  }
  return true
}
