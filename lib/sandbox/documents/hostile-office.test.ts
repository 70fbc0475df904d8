import { describe, expect, test } from 'vitest'
import { isNightly } from '@/scripts/test/nightly'
import { documentLimits } from '../document'
import { readOfficeDocument } from './read-office'
import { makeDocx, makeOdf, makePptx, makeXlsx, paragraph } from './testing/make-office'
import { makeZip } from './testing/make-zip'
import { parseXml, scanXml } from './xml'
import { openZip } from './zip'

// Files made to exhaust a reader's memory or time. Each ends with a reason, or as a small text.

const flawOf = (format: string, data: Uint8Array) =>
  readOfficeDocument(format, data).then(
    ({ parts }) => parts.reduce((sum, { text }) => sum + text.length, 0),
    (thrown: { readonly flaw?: string }) => thrown.flaw,
  )

/** The product's limits, but smaller. */
const small = { ...documentLimits, memberBytes: 1_000_000, unpackedBytes: 2_000_000, xmlElements: 1_000 }

const nested = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times)

describe('rejects', () => {
  test('a zip bomb', async () => {
    const data = makeZip({ 'word/document.xml': Buffer.alloc(documentLimits.memberBytes + 1) })
    expect(data.byteLength).toBeLessThan(100_000)
    expect(await flawOf('docx', data)).toBe('too-large')
  })

  test('a zip bomb that claims to be small', async () => {
    const zip = openZip(makeZip({ a: Buffer.alloc(1_000_001) }, 10), small)
    await expect(zip.read('a')).rejects.toMatchObject({ flaw: 'too-large' })
  })

  test('many members that are too large together', async () => {
    const half = Buffer.alloc(999_990)
    const zip = openZip(makeZip({ a: half, b: half, c: 'x'.repeat(30) }), small)
    await zip.read('a')
    await zip.read('b')
    await expect(zip.read('c')).rejects.toMatchObject({ flaw: 'too-large' })
  })

  test('deeply nested elements', async () => {
    const body = nested('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', 20_000)
    expect(await flawOf('docx', makeDocx(body))).toBe('too-deep')
    expect(
      await flawOf('odt', makeOdf(nested('<text:list><text:list-item>', '</text:list-item></text:list>', 20_000))),
    ).toBe('too-deep')
    expect(await flawOf('rtf', new TextEncoder().encode(`{\\rtf1 ${nested('{', '}', 100_000)}}`))).toBe('too-deep')
  })

  test('more elements than any real document has', () => {
    expect(() => parseXml('<p/>'.repeat(1_001), small)).toThrow('too-large')
  })

  test('groups of shapes that are deeper than any slide', async () => {
    const shapes = nested('<p:grpSp>', '</p:grpSp>', 20_000)
    expect(await flawOf('pptx', makePptx([shapes]))).toBe('too-deep')
    const frames = nested('<draw:g><draw:frame><draw:text-box>', '</draw:text-box></draw:frame></draw:g>', 8_000)
    const body = `<office:presentation><draw:page>${frames}</draw:page></office:presentation>`
    expect(await flawOf('odp', makeOdf(body))).toBe('too-deep')
  })

  test('a sheet that repeats one filled cell over all seventeen billion cells', async () => {
    const cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>'
    const body = `<office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">${cell}</table:table-row></table:table></office:spreadsheet>`
    const text = await flawOf('ods', makeOdf(body))
    if (typeof text === 'number') expect(text).toBeLessThanOrEqual(documentLimits.characters)
    else expect(text).toBe('too-large')
  })

  test('a zip whose start is after its end, or with more members than bytes', async () => {
    const data = makeDocx(paragraph('a'))
    const view = new DataView(data.buffer, data.byteOffset)
    view.setUint32(data.length - 6, 0xffffff00, true)
    expect(await flawOf('docx', data)).toBe('broken')
    const many = makeDocx(paragraph('a'))
    new DataView(many.buffer, many.byteOffset).setUint16(many.length - 12, 60_000, true)
    expect(await flawOf('docx', many)).toBe('too-large')
  })
})

describe('safely reads', () => {
  test('a file of entities that reference each other', async () => {
    const lol = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
    const xml = `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}<!ENTITY f SYSTEM "file:///etc/passwd">]>`
    const data = makeZip({
      'word/document.xml': `${xml}<w:document><w:body>${paragraph('&l20; &f; &amp;')}</w:body></w:document>`,
    })
    const { parts } = await readOfficeDocument('docx', data)
    expect(parts.map(({ text }) => text)).toEqual(['&l20; &f; &'])
  })

  test('a bomb within the limits: exactly as much text as may leave the reader', async () => {
    const row = '<c t="inlineStr"><is><t>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</t></is></c>'
    const rows = Array.from({ length: 90_000 }, (_, n) => `<row r="${n + 1}">${row}</row>`).join('')
    const { parts, summary } = await readOfficeDocument('xlsx', makeXlsx([{ name: 'A', rows }]))
    expect(parts[0]?.text.length).toBeLessThanOrEqual(documentLimits.characters)
    expect(summary.cut).toBe('size')
  })

  test('a book that has one chapter five thousand times: once', async () => {
    const item = '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
    const data = makeZip({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      'b.opf': `<package><manifest>${item}</manifest><spine>${'<itemref idref="a"/>'.repeat(5_000)}</spine></package>`,
      'a.xhtml': `<html><body><p>${'word '.repeat(50_000)}</p></body></html>`,
    })
    expect(await flawOf('epub', data)).toBe(50_000 * 5 - 1)
  })

  test('a slide with fifty thousand bold lines: each once', async () => {
    const bold = '<a:p><a:r><a:rPr b="1"/><a:t>bold</a:t></a:r></a:p>'.repeat(50_000)
    const shape = `<p:sp><p:txBody>${bold}<a:p><a:r><a:t>plain</a:t></a:r></a:p></p:txBody></p:sp>`
    const length = await flawOf('pptx', makePptx([shape]))
    expect(length).toBe(50_000 * 6 + 'plain'.length + '### '.length)
  }, 30_000)

  test('styles that are based on each other', async () => {
    const styles =
      '<w:styles><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>'
    const data = makeDocx(paragraph('a', '<w:pStyle w:val="A"/>'), { 'word/styles.xml': styles })
    expect(await flawOf('docx', data)).toBe(1)
  })

  test.runIf(isNightly)('a whole sheet that is merged, a hundred thousand times', async () => {
    const ranges = '<mergeCell ref="A1:XFD1048576"/>'.repeat(100_000)
    const rows = Array.from({ length: 2_000 }, (_, n) => `<row><c><v>${n}</v></c></row>`).join('')
    const data = makeXlsx([{ name: 'A', rows, after: `<mergeCells>${ranges}</mergeCells>` }])
    const { parts } = await readOfficeDocument('xlsx', data)
    expect(parts[0]?.text).toBe('0\n(merged cells: A1:XFD1048576)')
  })

  test('names that point outside the zip', async () => {
    const data = makeZip({
      'META-INF/container.xml': '<container><rootfile full-path="../../etc/passwd"/></container>',
    })
    expect(await flawOf('epub', data)).toBe('unknown')
  })
})

test('incomplete or invalid XML, up to the error', () => {
  const said: string[] = []
  const texts = [
    '<a b="',
    '<a><b>x</c></a>',
    '</a>',
    '<!--',
    '<![CDATA[x',
    '<',
    '<a x=">">y</a>',
    '&#0;&#1114112;&nope;',
  ]
  for (const text of texts)
    scanXml(text, {
      open: (name) => void said.push(`<${name}`),
      close: (name) => void said.push(`/${name}`),
      text: (piece) => void said.push(piece),
    })
  expect(said.join(' ')).toBe('<a <b x /b /a x <a y /a &nope;')
})
