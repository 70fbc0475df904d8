import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { cMapAsset } from '../../document-assets'
import {
  documentLimits,
  type CutReason,
  type DocumentSummary,
  type OutlineEntry,
  type ReaderPorts,
} from '../../document'
import { partOf, titleOf } from '../blocks'
import { FlawedDocument } from '../flaw'
import { hiddenItems } from './hidden-items'
import { itemsOfPage, type RawItem, withTexLetters } from './page-items'
import { textOfPage } from './page-text'
import { isText, taggedText, type ContentItem, type TagNode } from './tagged-text'

/**
 * Reads a PDF page by page with pdf.js. Nothing is drawn, no font is loaded, and character maps are requested from the
 * page by name.
 */

const flaws: Readonly<Record<string, FlawedDocument['flaw']>> = {
  PasswordException: 'locked',
  InvalidPDFException: 'broken',
  UnknownErrorException: 'broken',
}

/** Set by the limit that is patched into pdf.js at bundling (`scripts/pdf-reader.mjs`): a stream was left out. */
const isTooLarge = (): boolean => (globalThis as { nodStreamTooLarge?: unknown }).nodStreamTooLarge === true

/** What pdf.js requests while it reads: only character maps; the rest is for drawing. */
const assetFactory = (asset: ReaderPorts['asset']) =>
  class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const bytes = kind === 'cMapUrl' ? await asset(cMapAsset(filename.replace(/\.bcmap$/, ''))) : null
      if (bytes === null) throw new Error(`no ${filename}`)
      return bytes
    }
  }

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

async function outlineOf(pdf: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  const walk = async (nodes: readonly OutlineNode[], depth: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= documentLimits.outline) return
      const target: unknown = typeof dest === 'string' ? await pdf.getDestination(dest) : dest
      const [page] = Array.isArray(target) ? (target as unknown[]) : []
      const index = typeof page === 'number' ? page : isReference(page) ? await pdf.getPageIndex(page) : -1
      const isRead = index >= 0 && index < Math.min(pdf.numPages, documentLimits.parts)
      if (isRead && title.trim() !== '') entries.push({ title: titleOf(title), part: index + 1 })
      if (depth < 3) await walk(items as readonly OutlineNode[], depth + 1)
    }
  }
  try {
    await walk((await pdf.getOutline()) ?? [], 1)
  } catch {
    // Without a usable table of contents, headings are used.
  }
  return entries
}

const isReference = (value: unknown): value is { num: number; gen: number } =>
  typeof value === 'object' && value !== null && 'num' in value && 'gen' in value

/** Tracks the most common letter height so far. */
function createBodySize() {
  const letters = new Map<number, number>()
  return {
    add(items: readonly RawItem[]) {
      for (const { str, transform } of items) {
        const size = Math.round(Math.hypot(transform[0] ?? 0, transform[1] ?? 0) * 2) / 2
        if (size > 0) letters.set(size, (letters.get(size) ?? 0) + str.length)
      }
    },
    most: () => [...letters].reduce((best, each) => (each[1] > best[1] ? each : best), [10, 0])[0],
  }
}

async function open(data: Uint8Array, ports: ReaderPorts): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data,
      BinaryDataFactory: assetFactory(ports.asset),
      cMapUrl: 'asset/',
      useWorkerFetch: false,
      disableFontFace: true,
      useSystemFonts: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      // Pictures are ignored, so none needs to be unpacked.
      maxImageSize: 1,
      verbosity: 0,
    }).promise
  } catch (thrown) {
    if (isTooLarge()) throw new FlawedDocument('too-large')
    throw new FlawedDocument(flaws[thrown instanceof Error ? thrown.name : ''] ?? 'broken')
  }
}

/** Whether the letters of the item with this number are drawings (Type 3), as far as pdf.js has its font. */
function drawnItems(page: PDFPageProxy, items: readonly RawItem[]): (index: number) => boolean {
  const fonts = new Map<string, boolean>()
  for (const { fontName = '' } of items) {
    if (fonts.has(fontName)) continue
    const font: unknown = page.commonObjs.has(fontName) ? page.commonObjs.get(fontName) : null
    fonts.set(fontName, (font as { readonly isType3Font?: unknown } | null)?.isType3Font === true)
  }
  return (index) => fonts.get(items[index]?.fontName ?? '') ?? false
}

/** A broken tree is none. */
const treeOf = (page: PDFPageProxy): Promise<TagNode | null> => page.getStructTree().catch(() => null)

export async function readPdf(data: Uint8Array, ports: ReaderPorts): Promise<DocumentSummary> {
  const pdf = await open(data, ports)
  const outline = await outlineOf(pdf)
  const total = pdf.numPages
  const pages = Math.min(total, documentLimits.parts)
  ports.about({ unit: 'page', total, outline: [...outline], cut: null })
  const body = createBodySize()
  const headings: OutlineEntry[] = []
  let characters = 0
  let cut: CutReason | null = pages < total ? 'pages' : null
  let isFlawed = false
  let read = 0
  for (let number = 1; number <= pages; number++) {
    let text = ''
    try {
      const page = await pdf.getPage(number)
      const content = await page.getTextContent({ disableNormalization: true, includeMarkedContent: true })
      const contents: readonly ContentItem[] = content.items
      const items = contents.filter(isText)
      body.add(items)
      const { transform } = page.getViewport({ scale: 1 })
      const isHidden = await hiddenItems(page, items)
      const tree = await treeOf(page)
      const found =
        taggedText(tree, contents, { area: { transform }, isHidden, body: body.most() }) ??
        textOfPage(itemsOfPage(withTexLetters(items, drawnItems(page, items)), { transform }, isHidden), body.most())
      text = found.text
      for (const title of found.headings) headings.push({ title: titleOf(title), part: number })
      page.cleanup()
    } catch {
      // An unreadable page does not affect the others.
      isFlawed = true
      text = ''
    }
    const part = partOf(text)
    characters += part.text.length
    if (characters > documentLimits.characters) {
      cut = 'size'
      break
    }
    if (part.text !== '') read++
    ports.part(part)
  }
  if (read === 0 && isTooLarge()) throw new FlawedDocument('too-large')
  if (read === 0 && isFlawed) throw new FlawedDocument('broken')
  const found = outline.length > 0 ? outline : headings.slice(0, documentLimits.outline)
  return { unit: 'page', total, outline: [...found], cut }
}
