import { documentFormats } from '@/lib/base/text/document-formats'
import * as z from 'zod/mini'

/*
 * A document as text: what a reader in the sandboxed frame extracts from a PDF, an office file or a book. It comes from
 * a worker that parsed an untrusted file, so `documentPart` and `documentSummary` validate it before use.
 */

/** Web pages are parsed too; an HTML file of the chat is plain text. */
export const readFormats = [...documentFormats, 'html'] as const
export type ReadFormat = (typeof readFormats)[number]

/** The names of document parts. `part`: a piece of a text without pages. */
const documentUnits = ['page', 'slide', 'sheet', 'chapter', 'part'] as const
export type DocumentUnit = (typeof documentUnits)[number]

/** Why only the beginning of a document was read. */
const cutReasons = ['time', 'size', 'pages'] as const
export type CutReason = (typeof cutReasons)[number]

export const documentFlaws = ['locked', 'broken', 'too-large', 'too-deep', 'unknown'] as const
/** Why a document can't be read. `unknown`: it does not have the format that its name or its first bytes indicate. */
export type DocumentFlaw = (typeof documentFlaws)[number]

export interface DocumentPart {
  /** The name of a sheet; '' for other parts. */
  readonly label: string
  /** Markdown; for a sheet, lines of CSV. */
  readonly text: string
  /** Number of characters that are invisible on the page; in the text they are between marks (`hiddenMark`). */
  readonly hidden: number
}

export interface OutlineEntry {
  readonly title: string
  /** Counted from 1. */
  readonly part: number
}

export interface DocumentText {
  readonly format: ReadFormat
  readonly unit: DocumentUnit
  /** Total parts in the document; more than `parts` if reading was cut short. */
  readonly total: number
  readonly parts: readonly DocumentPart[]
  readonly outline: readonly OutlineEntry[]
  readonly cut: CutReason | null
  /** It has programs of its own; nobody runs them. Left out: it has none. */
  readonly macros?: true
}

/** Limits for reading one document. */
export const documentLimits = {
  /** Milliseconds after the reader has started: for the whole document, and without a new part. */
  totalMs: 20_000,
  partMs: 6_000,
  /** For a zip: unpacked bytes of one member and of all members, and the number of members. */
  memberBytes: 64_000_000,
  unpackedBytes: 128_000_000,
  members: 10_000,
  /** For one XML text. */
  xmlDepth: 256,
  xmlElements: 1_500_000,
  /** Cells of all sheets. */
  cells: 2_000_000,
  parts: 2_000,
  /** UTF-16 units of all parts. */
  characters: 4_000_000,
  outline: 200,
  titleCharacters: 160,
} as const

export type DocumentLimits = { readonly [Key in keyof typeof documentLimits]: number }

const { parts, characters, outline, titleCharacters } = documentLimits

export const documentPart = z.strictObject({
  label: z.string().check(z.maxLength(titleCharacters)),
  text: z.string().check(z.maxLength(characters)),
  hidden: z.int().check(z.gte(0)),
})

/** What the reader reports at the end. */
export const documentSummary = z.union([
  z.strictObject({
    unit: z.enum(documentUnits),
    total: z.int().check(z.gte(0), z.lte(1_000_000_000)),
    outline: z
      .array(
        z.strictObject({
          title: z.string().check(z.maxLength(titleCharacters)),
          part: z.int().check(z.gte(1), z.lte(parts)),
        }),
      )
      .check(z.maxLength(outline)),
    cut: z.nullable(z.enum(cutReasons)),
    macros: z.exactOptional(z.literal(true)),
  }),
  z.strictObject({ flaw: z.enum(documentFlaws) }),
])

export type DocumentSummary = z.output<typeof documentSummary>

/** Text that is invisible on the page, as it is marked in a part's text. */
export const hiddenMark = (text: string): string => `[hidden in the document: ${text.replaceAll(']', '\\]')}]`

/** Escapes text so that no text of a document can look like such a mark. */
export const withoutMarks = (text: string): string =>
  text.replaceAll('[hidden in the document:', '\\[hidden in the document:')

export type TextPiece = { readonly hidden: boolean; readonly text: string }

/** The pieces of a part's text; the hidden ones without their marks. */
export function piecesOf(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  for (const mark of text.matchAll(/(?<!\\)\[hidden in the document: ((?:\\\]|[^\]])*)\]/g)) {
    if (mark.index > at) pieces.push({ hidden: false, text: text.slice(at, mark.index) })
    pieces.push({ hidden: true, text: (mark[1] ?? '').replaceAll('\\]', ']') })
    at = mark.index + mark[0].length
  }
  if (at < text.length) pieces.push({ hidden: false, text: text.slice(at) })
  return pieces
}

/** What a reader reports, and what it may request, while it reads. */
export interface ReaderPorts {
  readonly part: (part: DocumentPart) => void
  /** Describes the parts; called before the first one if it is known by then. */
  readonly about: (summary: DocumentSummary) => void
  /** Null: there is no such asset. */
  readonly asset: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>
}
