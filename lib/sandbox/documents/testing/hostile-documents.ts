import { deflateSync } from 'node:zlib'
import type { DocumentFormat } from '@/lib/base/text/document-formats'
import { makeDocx, makeEpub, makeOdf, makePptx, makeXlsx, paragraph } from './make-office'
import { line, makePdf, stream } from './make-pdf'
import { makeZip } from './make-zip'

/*
 * Documents that are made to exhaust a reader, one for each kind of trick. Each must end in time, as a text or with a
 * sentence; they run in Node, and in the sandboxed frame of a real browser.
 */

interface HostileDocument {
  readonly name: string
  readonly format: DocumentFormat
  readonly make: () => Uint8Array
  /** Its whole text, a part of its text, or the beginning of the sentence that says why there is none. */
  readonly ends: { readonly text: string } | { readonly holds: string } | { readonly error: RegExp }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const flawed = /damaged|too much memory|too large|too long|too deep|not what its name/

/** A zip whose members all use the bytes of the first one. */
function overlapping(count: number, size: number): Uint8Array {
  const chapters = Array.from({ length: count }, (_, n) => `c${n}.xhtml`)
  const item = (name: string, n: number) => `<item id="i${n}" href="${name}" media-type="application/xhtml+xml"/>`
  const book = `<package><manifest>${chapters.map(item).join('')}</manifest><spine>${chapters.map((_, n) => `<itemref idref="i${n}"/>`).join('')}</spine></package>`
  const page = `<html><body><p>${'a'.repeat(size)}</p></body></html>`
  const data = makeZip({
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    'b.opf': book,
    'c0.xhtml': page,
    ...Object.fromEntries(chapters.slice(1).map((name) => [name, ''])),
  })
  const view = new DataView(data.buffer, data.byteOffset)
  const first = { packed: 0, at: 0 }
  let at = view.getUint32(data.length - 6, true)
  for (let n = 0; n < count + 2; n += 1) {
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(data.subarray(at + 46, at + 46 + nameLength))
    if (name === 'c0.xhtml')
      Object.assign(first, { packed: view.getUint32(at + 20, true), at: view.getUint32(at + 42, true) })
    else if (name.endsWith('.xhtml')) {
      view.setUint32(at + 20, first.packed, true)
      view.setUint32(at + 42, first.at, true)
    }
    at += 46 + nameLength
  }
  return data
}

/** A page whose font says which characters its codes mean. */
const mappedFont = (cMap: string) =>
  makePdf({
    pages: [{ content: `BT /F2 11 Tf 50 700 Td <00410042> Tj ET\n${line(50, 650, 'after it')}` }],
    fonts: '/F2 1001 0 R',
    objects: {
      1: '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[1002 0 R]/ToUnicode 1004 0 R>>',
      2: '<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 1003 0 R>>',
      3: '<</Type/FontDescriptor/FontName/A/Flags 4/FontBBox[0 0 9 9]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 9/StemV 1>>',
      4: stream(cMap),
    },
  })

const rawPdf = (change: (pdf: string) => string): Uint8Array =>
  new Uint8Array(
    Buffer.from(
      change(Buffer.from(makePdf({ pages: [{ content: line(50, 700, 'words') }] })).toString('latin1')),
      'latin1',
    ),
  )

export const hostileDocuments: readonly HostileDocument[] = [
  {
    name: 'a list a billion levels deep, and one below zero',
    format: 'docx',
    make: () =>
      makeDocx(
        ['999999999', '-5']
          .map((level) => paragraph('item', `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`))
          .join(''),
        {
          'word/numbering.xml':
            '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
        },
      ),
    ends: { holds: 'item' },
  },
  {
    name: 'cells that span a billion columns',
    format: 'docx',
    make: () => {
      const cell = '<w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>'
      return makeDocx(`<w:tbl>${`<w:tr>${cell.repeat(200)}</w:tr>`.repeat(50)}</w:tbl>`)
    },
    ends: { holds: 'x' },
  },
  {
    name: 'notes that refer to themselves',
    format: 'docx',
    make: () => {
      const reference = '<w:r><w:footnoteReference w:id="2"/></w:r>'
      return makeDocx(`<w:p>${reference.repeat(5_000)}</w:p>`, {
        'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2"><w:p>${reference}<w:r><w:t>note</w:t></w:r></w:p></w:footnote></w:footnotes>`,
      })
    },
    ends: { holds: 'note' },
  },
  {
    name: 'two thousand million spaces, and less than none',
    format: 'odt',
    make: () =>
      makeOdf('<office:text><text:p>a<text:s text:c="2000000000"/>b<text:s text:c="-7"/>c</text:p></office:text>'),
    ends: { holds: 'b' },
  },
  {
    name: 'cells at the last places of a sheet, and beyond them',
    format: 'xlsx',
    make: () => {
      const at = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
      const rows = ['1', '1048576', '4294967295', '99999999999999999999']
        .map(
          (row) =>
            `<row r="${row}">${at(`A${row}`, 'first')}${at(`XFD${row}`, 'last')}${at(`ZZZZZZZZ${row}`, 'beyond')}</row>`,
        )
        .join('')
      return makeXlsx([{ name: 'A', rows }])
    },
    ends: { holds: 'first' },
  },
  {
    name: 'shared texts with numbers that there are not',
    format: 'xlsx',
    make: () => {
      const cells = ['0', '1', '-1', '1e9', '999999999', 'x'].map((n) => `<c t="s"><v>${n}</v></c>`).join('')
      return makeXlsx([{ name: 'A', rows: `<row>${cells}</row>`.repeat(1_000) }], ['<t>known</t>'])
    },
    ends: { holds: 'known' },
  },
  {
    name: 'a number format of a hundred thousand brackets and quotes',
    format: 'xlsx',
    make: () =>
      makeXlsx([{ name: 'A', rows: '<row><c s="1"><v>44000.5</v></c></row>'.repeat(2_000) }], [], {
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'[&quot;yy\\[['.repeat(25_000)}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      }),
    ends: { holds: '2020-06-18' },
  },
  {
    name: 'one slide a hundred thousand times',
    format: 'pptx',
    make: () => {
      return makePptx(
        ['<p:sp><p:txBody><a:p><a:r><a:t>words</a:t></a:r></a:p></p:txBody></p:sp>'],
        {},
        {
          'ppt/presentation.xml': `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>${'<p:sldId id="256" r:id="rId0"/>'.repeat(100_000)}</p:sldIdLst></p:presentation>`,
        },
      )
    },
    ends: { holds: 'words' },
  },
  {
    name: 'chapters that all unpack the same bytes',
    format: 'epub',
    make: () => overlapping(2_000, 1_000_000),
    ends: { error: flawed },
  },
  {
    name: 'a chapter of elements that are never closed',
    format: 'epub',
    make: () => makeEpub([`<p>words</p>${'<div><b><i>'.repeat(60_000)}`]),
    ends: { error: flawed },
  },
  {
    name: 'binary data that claims two gigabytes, and letters that replace none',
    format: 'rtf',
    make: () =>
      bytes(`{\\rtf1\\ansi\\uc1000000000 words\\par \\bin2147483647 ${'\\u99999999999 '.repeat(50_000)} more}`),
    ends: { holds: 'words' },
  },
  {
    name: 'a table of fonts and colours without an end',
    format: 'rtf',
    make: () =>
      bytes(
        `{\\rtf1\\ansi{\\fonttbl${Array.from({ length: 100_000 }, (_, n) => `{\\f${n}\\fcharset999 A;}`).join('')}{\\colortbl${';\\red255'.repeat(200_000)}words\\par}`,
      ),
    ends: { holds: '' },
  },
  {
    name: 'a table of places that continues with itself',
    format: 'pdf',
    make: () =>
      rawPdf((pdf) => pdf.replace('/Root 1 0 R>>', `/Root 1 0 R/Prev ${/startxref\n(\d+)/.exec(pdf)?.[1] ?? '0'}>>`)),
    ends: { text: 'words' },
  },
  {
    name: 'a stream whose length is the stream itself',
    format: 'pdf',
    make: () => rawPdf((pdf) => pdf.replace(/\/Length \d+/, '/Length 11 0 R')),
    ends: { holds: '' },
  },
  {
    name: 'four thousand million letters for the codes of a font',
    format: 'pdf',
    make: () =>
      mappedFont(
        '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap end end',
      ),
    ends: { holds: '' },
  },
  {
    name: 'brackets in brackets a million times',
    format: 'pdf',
    make: () => makePdf({ pages: [{ content: `${line(50, 700, 'words')}${'['.repeat(1_000_000)}` }] }),
    ends: { holds: '' },
  },
  {
    name: 'places beyond all pages, and none',
    format: 'pdf',
    make: () => {
      const places = ['1e38 1e38', '-1e38 5', '0.0000001 1e-38', 'nan nan', '99999999999999999999 1']
      const content = Array.from(
        { length: 4_000 },
        (_, n) => `BT /F1 11 Tf ${places[n % places.length]} Td (w${n}) Tj ET\n`,
      ).join('')
      return makePdf({ pages: [{ content: `${line(50, 700, 'words')}${content}` }] })
    },
    ends: { holds: 'words' },
  },
  {
    name: 'an outline whose entries follow themselves',
    format: 'pdf',
    make: () =>
      makePdf({
        pages: [{ content: line(50, 700, 'words') }],
        catalog: '/Outlines 1001 0 R',
        objects: {
          1: '<</Type/Outlines/First 1002 0 R/Last 1002 0 R/Count 1>>',
          2: '<</Title(one)/Parent 1001 0 R/Next 1002 0 R/First 1002 0 R/Dest[10 0 R/Fit]>>',
        },
      }),
    ends: { text: 'words' },
  },
  {
    name: 'a page that is packed two hundred times',
    format: 'pdf',
    make: () => {
      let packed: Buffer = Buffer.from(line(50, 650, 'deep'))
      for (let n = 0; n < 200; n += 1) packed = deflateSync(packed)
      const form = `/Type/XObject/Subtype/Form/BBox[0 0 600 900]/Filter[${'/FlateDecode'.repeat(200)}]`
      return makePdf({
        pages: [{ content: `${line(50, 700, 'words')}/Fm Do\n` }],
        resources: '/XObject<</Fm 1001 0 R>>',
        objects: { 1: stream(packed, form) },
      })
    },
    ends: { holds: 'words' },
  },
]
