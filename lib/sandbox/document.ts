import { documentFormats } from '@/lib/base/text/document-formats'
import * as z from 'zod/mini'

/*
 * A document as text: what a reader in the sealed frame makes of a PDF, an office file or a book. It comes from a worker that
 * parsed a foreign file, so it is checked by `documentPart` and `documentSummary` before anything believes it.
 */

/** Pages of the web are read as well; a file of the chat that is HTML is text. */
export const readFormats = [...documentFormats, 'html'] as const
export type ReadFormat = (typeof readFormats)[number]

/** What the parts of a document are called. `part`: a piece of a text that has no pages. */
const documentUnits = ['page', 'slide', 'sheet', 'chapter', 'part'] as const
export type DocumentUnit = (typeof documentUnits)[number]

/** Why only the beginning of a document was read. */
const cutReasons = ['time', 'size', 'pages'] as const
export type CutReason = (typeof cutReasons)[number]

export const documentFlaws = ['locked', 'broken', 'too-large', 'too-deep', 'unknown'] as const
/** Why a document can't be read. `unknown`: it is not of the format that its name or its first bytes say. */
export type DocumentFlaw = (typeof documentFlaws)[number]

export interface DocumentPart {
  /** Of a sheet: its name; '' for what has none. */
  readonly label: string
  /** Markdown; of a sheet, lines of CSV. */
  readonly text: string
  /** Characters that a person does not see on the page; in the text they are between marks (`hiddenMark`). */
  readonly hidden: number
}

export interface OutlineEntry {
  readonly title: string
  /** From 1. */
  readonly part: number
}

export interface DocumentText {
  readonly format: ReadFormat
  readonly unit: DocumentUnit
  /** Of the document; more than there are `parts` where reading was cut short. */
  readonly total: number
  readonly parts: readonly DocumentPart[]
  readonly outline: readonly OutlineEntry[]
  readonly cut: CutReason | null
}

/** What reading one document may take. */
export const documentLimits = {
  /** Milliseconds from where the reader is there: of all of it, and without a further part. */
  totalMs: 20_000,
  partMs: 6_000,
  /** Of a zip: unpacked bytes of one member and of all of them, and members. */
  memberBytes: 64_000_000,
  unpackedBytes: 128_000_000,
  members: 10_000,
  /** Of one XML text. */
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

/** What the reader says at the end. */
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
  }),
  z.strictObject({ flaw: z.enum(documentFlaws) }),
])

export type DocumentSummary = z.output<typeof documentSummary>

/** Text that is not visible on the page, as a part's text holds it. */
export const hiddenMark = (text: string): string => `[hidden in the document: ${text.replaceAll(']', '\\]')}]`

/** No text of a document can look like such a mark. */
export const withoutMarks = (text: string): string =>
  text.replaceAll('[hidden in the document:', '\\[hidden in the document:')

export type TextPiece = { readonly hidden: boolean; readonly text: string }

/** The pieces of a part's text, the hidden ones without their marks. */
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
