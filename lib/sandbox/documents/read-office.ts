import {
  documentLimits,
  type DocumentPart,
  type DocumentSummary,
  type DocumentUnit,
  type OutlineEntry,
} from '../document'
import { partsOfBlocks, type Block } from './blocks'
import { readDocx } from './office/docx'
import { readEpub } from './office/epub'
import { readOdp, readOdt } from './office/odf'
import { readPptx } from './office/pptx'
import { readRtf } from './office/rtf'
import { readOds } from './sheets/ods'
import type { Sheets } from './sheets/sheet-text'
import { readXlsx } from './sheets/xlsx'
import { hasMacros, openZip, type Zip } from './zip'

/** A document that is read in one piece. */
export interface WholeDocument {
  readonly parts: readonly DocumentPart[]
  readonly summary: Exclude<DocumentSummary, { readonly flaw: unknown }>
}

/** Cuts the parts to the number of characters that may leave the reader. */
function within(parts: readonly DocumentPart[]): readonly DocumentPart[] {
  let left: number = documentLimits.characters
  const kept: DocumentPart[] = []
  for (const part of parts.slice(0, documentLimits.parts)) {
    if (left <= 0) break
    kept.push(part.text.length <= left ? part : { ...part, text: part.text.slice(0, left) })
    left -= part.text.length
  }
  return kept
}

function wholeOf(
  unit: DocumentUnit,
  { parts: all, total, isCut }: Omit<Sheets, 'merged'>,
  outline: readonly OutlineEntry[],
): WholeDocument {
  const parts = within(all)
  const lacks = parts.length < all.length || parts.at(-1)?.text.length !== all.at(-1)?.text.length
  const kept = outline.filter(({ part }) => part <= parts.length)
  const cut = total > documentLimits.parts ? 'pages' : isCut || lacks ? 'size' : null
  return { parts, summary: { unit, total, outline: kept, cut } }
}

const ofBlocks = (blocks: readonly Block[], unit: DocumentUnit): WholeDocument => {
  const { parts, outline } = partsOfBlocks(blocks)
  const isPaged = blocks.some(({ kind }) => kind === 'break')
  return wholeOf(isPaged ? unit : 'part', { parts, total: parts.length, isCut: false }, outline)
}

const ofSheets = (sheets: Sheets): WholeDocument =>
  wholeOf(
    'sheet',
    sheets,
    sheets.parts.slice(0, documentLimits.outline).map(({ label }, index) => ({ title: label, part: index + 1 })),
  )

const zipped: Readonly<Record<string, (zip: Zip) => Promise<WholeDocument>>> = {
  docx: async (zip) => ofBlocks(await readDocx(zip), 'page'),
  odt: async (zip) => ofBlocks(await readOdt(zip), 'page'),
  pptx: async (zip) => ofBlocks(await readPptx(zip), 'slide'),
  odp: async (zip) => ofBlocks(await readOdp(zip), 'slide'),
  epub: async (zip) => ofBlocks(await readEpub(zip), 'chapter'),
  xlsx: async (zip) => ofSheets(await readXlsx(zip)),
  ods: async (zip) => ofSheets(await readOds(zip)),
}

/** Reads office files, books and RTF. Throws `FlawedDocument`. */
export async function readOfficeDocument(format: string, data: Uint8Array): Promise<WholeDocument> {
  if (format === 'rtf') return ofBlocks(readRtf(data), 'page')
  const read = zipped[format]
  if (read === undefined) throw new Error(`no reader of ${format}`)
  const zip = openZip(data)
  const { parts, summary } = await read(zip)
  return { parts, summary: hasMacros(zip) ? { ...summary, macros: true } : summary }
}
