import { makeZip } from './make-zip'

const rels = (entries: Readonly<Record<string, readonly [type: string, target: string]>>): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(entries)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** A Word document with this body. */
export const makeDocx = (body: string, more: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    'word/document.xml': `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="w">
      <w:style w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
      <w:style w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="Heading1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
      <w:style w:styleId="Ghost"><w:name w:val="Ghost"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>`,
    ...more,
  })

export const paragraph = (text: string, properties = '', run = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t>${text}</w:t></w:r></w:p>`

export interface SheetXml {
  readonly name: string
  readonly state?: string
  /** The contents of `sheetData`. */
  readonly rows: string
  /** What follows `sheetData`. */
  readonly after?: string
}

/** An Excel workbook; cell style 1 is a date, 2 a date with a time, 3 per cent. */
export function makeXlsx(
  sheets: readonly SheetXml[],
  shared: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" ${state ? `state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  )
  return makeZip({
    'xl/workbook.xml': `<workbook xmlns="s" xmlns:r="r"><workbookPr/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': rels(
      Object.fromEntries(
        sheets.map((_, index) => [`rId${index + 1}`, ['worksheet', `worksheets/sheet${index + 1}.xml`]]),
      ),
    ),
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellXfs>
      <xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...more,
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  })
}

/** A presentation; each slide is the contents of its shape tree. */
export function makePptx(
  slides: readonly string[],
  notes: Readonly<Record<number, string>> = {},
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const files: Record<string, string> = {
    ...more,
    'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${slides
      .map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index}"/>`)
      .join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': rels(
      Object.fromEntries(slides.map((_, index) => [`rId${index}`, ['slide', `slides/slide${index}.xml`]])),
    ),
  }
  for (const [index, tree] of slides.entries()) {
    files[`ppt/slides/slide${index}.xml`] = `<p:sld><p:cSld><p:spTree>${tree}</p:spTree></p:cSld></p:sld>`
    const note = notes[index]
    if (note === undefined) continue
    files[`ppt/slides/_rels/slide${index}.xml.rels`] = rels({ n: ['notesSlide', `../notesSlides/notes${index}.xml`] })
    files[`ppt/notesSlides/notes${index}.xml`] =
      `<p:notes><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${note}</a:t></a:r></a:p></p:txBody></p:sp></p:notes>`
  }
  return makeZip(files)
}

export const makeOdf = (body: string, styles = '', more: Readonly<Record<string, string>> = {}): Uint8Array =>
  makeZip({
    ...more,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
  })

/** A book of chapters. */
export const makeEpub = (chapters: readonly string[]): Uint8Array =>
  makeZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<package><manifest>${chapters
      .map((_, index) => `<item id="c${index}" href="text/c${index}.xhtml"/>`)
      .join(
        '',
      )}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, index) => [
        `OEBPS/text/c${index}.xhtml`,
        `<?xml version="1.0"?><!DOCTYPE html><html><head><title>no</title></head><body>${body}</body></html>`,
      ]),
    ),
  })
