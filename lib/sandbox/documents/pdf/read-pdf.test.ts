import { expect, test } from 'vitest'
import { readDocument } from '../../read-document'
import { line, lines, makePdf, stream, type PdfParts } from '../testing/make-pdf'
import { createReaderSandbox } from '../testing/reader-sandbox'

const sandbox = createReaderSandbox()

async function read(parts: PdfParts) {
  const document = await readDocument(sandbox, { format: 'pdf', data: makePdf(parts) }, new AbortController().signal)
  if (!document.ok) throw new Error(document.error.message)
  return document.value
}

const textsOf = async (...contents: readonly string[]) =>
  (await read({ pages: contents.map((content) => ({ content })) })).parts.map(({ text }) => text)

test('joins lines to paragraphs, turns large lines into headings, and joins hyphenated words', async () => {
  const content =
    line(50, 780, 'Rental contract', 22) +
    line(50, 740, 'The flat', 14) +
    lines(50, 700, ['The flat has three rooms and the use of the yard, and the ten-', 'ant takes care of it.']) +
    lines(50, 640, ['Rent is due on the third working day.']) +
    lines(50, 600, ['1. First', '2. Second'])
  expect(await textsOf(content)).toEqual([
    '# Rental contract\n\n### The flat\n\nThe flat has three rooms and the use of the yard, and the tenant takes care of it.\n\nRent is due on the third working day.\n\n1. First\n\n2. Second',
  ])
})

test('reads columns one after the other, as they are drawn', async () => {
  const left = Array.from({ length: 12 }, (_, n) => `left column text number ${n}`)
  const right = Array.from({ length: 12 }, (_, n) => `right column text number ${n}`)
  const [text = ''] = await textsOf(lines(50, 780, left) + lines(320, 780, right))
  expect(text.match(/left|right/g)).toEqual([...left.map(() => 'left'), ...right.map(() => 'right')])
})

test('keeps short lines apart: items with drawn markers, an address', async () => {
  const full = 'A line that fills the whole width of its column, as all the lines of a paragraph do but for the last'
  expect(
    await textsOf(lines(50, 700, [full, 'The fence', 'Two new lamps', 'for the gate', '12 Garden Lane', full])),
  ).toEqual([[`${full} The fence`, 'Two new lamps for the gate', '12 Garden Lane ' + full].join('\n\n')])
  expect(
    await textsOf(lines(50, 700, [full, 'It ends here.', 'Another one begins, and it is long. '.repeat(3)])),
  ).toEqual([`${full} It ends here.\n\n${'Another one begins, and it is long. '.repeat(3).trim()}`])
})

test('joins numbers and markers in their own column with their list items', async () => {
  const listed = (signs: readonly string[]) =>
    signs.map((sign, n) => line(50, 700 - 20 * n, sign) + line(90, 700 - 20 * n, `Step number ${n}`)).join('')
  expect(await textsOf(listed(['1', '2', '3']), listed(['-', '-', '-']), listed(['1', '3', '4']))).toEqual([
    '1. Step number 0\n\n2. Step number 1\n\n3. Step number 2',
    '- Step number 0\n\n- Step number 1\n\n- Step number 2',
    '| 1 | Step number 0 |\n| --- | --- |\n| 3 | Step number 1 |\n| 4 | Step number 2 |',
  ])
})

test('rows that share edges become a table', async () => {
  const rows = [
    ['Item', 'Count', 'Price'],
    ['Apples', '12', '3.40'],
    ['Pears', '7', '2.10'],
    ['Plums', '40', '8.00'],
  ]
  const content = rows
    .map((row, index) => row.map((cell, column) => line(50 + column * 150, 700 - index * 16, cell)).join(''))
    .join('')
  expect(await textsOf(content)).toEqual([
    '| Item | Count | Price |\n| --- | --- | --- |\n| Apples | 12 | 3.40 |\n| Pears | 7 | 2.10 |\n| Plums | 40 | 8.00 |',
  ])
})

test('lists and spaced-out lines do not become tables', async () => {
  const items = ['first thing', 'second thing', 'third thing', 'fourth thing']
  const list = items.map((text, n) => line(50, 700 - n * 14, '\\225') + line(70, 700 - n * 14, text)).join('')
  const spaced = items
    .map((text, n) => line(50, 500 - n * 14, 'words of a line') + line(128, 500 - n * 14, text))
    .join('')
  const [text = ''] = await textsOf(list.replaceAll('\\\\225', '\\225') + spaced)
  expect(text).toBe(
    `${items.map((item) => `• ${item}`).join('\n\n')}\n\n${items.map((item) => `words of a line ${item}`).join(' ')}`,
  )
})

test('reads a page that is drawn from the bottom from the top', async () => {
  const words = Array.from({ length: 10 }, (_, n) => `sentence number ${n} of them`)
  const content = words.map((text, n) => line(50, 500 - n * 40, text)).toReversed()
  const [text = ''] = await textsOf(content.join(''))
  expect(Array.from(text.matchAll(/number (\d)/g), ([, n]) => Number(n))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('reads a rotated page as it is shown', async () => {
  const content = lines(50, 780, ['This text is turned', 'with its page.'])
  const turned =
    'BT /F1 11 Tf 0 1 -1 0 100 50 Tm (Up the page) Tj ET\nBT /F1 11 Tf 0 1 -1 0 114 50 Tm (and beside it.) Tj ET\n'
  const { parts } = await read({ pages: [{ content, more: '/Rotate 90' }, { content: turned }] })
  expect(parts.map(({ text }) => text)).toEqual(['This text is turned with its page.', 'Up the page and beside it.'])
})

test('marks and counts invisible text: white, without ink, tiny; text outside the page is left out', async () => {
  const content =
    lines(50, 780, ['Seen text.']) +
    `1 1 1 rg\n${line(50, 700, 'White words')}0 0 0 rg\n` +
    `BT /F1 11 Tf 3 Tr 50 640 Td (No ink) Tj 0 Tr ET\n` +
    line(50, 580, 'tiny words', 0.4) +
    line(50, -200, 'Below the page') +
    `0.1 0.2 0.5 rg 40 480 300 40 re f\n1 1 1 rg\n${line(50, 495, 'White on blue')}`
  const { parts } = await read({ pages: [{ content }] })
  const mark = (text: string) => `[hidden in the document: ${text}]`
  expect(parts[0]?.text.split('\n\n')).toEqual([
    'Seen text.',
    mark('White words'),
    mark('No ink'),
    mark('tiny words'),
    'White on blue',
  ])
  expect(parts[0]?.hidden).toBe('White wordsNo inktiny words'.length)
})

test('keeps recognised text over the picture of a scan', async () => {
  const picture = stream(
    Buffer.alloc(3 * 64 * 64, 200),
    '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceRGB/BitsPerComponent 8',
  )
  const content = `q 595 0 0 842 0 0 cm /Im Do Q\nBT /F1 11 Tf 3 Tr 50 640 Td (Scanned words) Tj ET\n`
  const { parts } = await read({ pages: [{ content }], objects: { 1: picture }, resources: '/XObject<</Im 1001 0 R>>' })
  expect(parts).toEqual([{ label: '', text: 'Scanned words', hidden: 0 }])
})

test('names pages by the table of contents, otherwise by headings', async () => {
  const pages = [{ content: line(50, 700, 'one') }, { content: line(50, 700, 'two') }]
  const outlined = await read({
    pages,
    catalog: '/Outlines 1001 0 R',
    objects: {
      1: '<</Type/Outlines/First 1002 0 R/Last 1003 0 R/Count 2>>',
      2: '<</Title(First part)/Parent 1001 0 R/Next 1003 0 R/Dest[10 0 R/Fit]>>',
      3: '<</Title(Second part)/Parent 1001 0 R/Prev 1002 0 R/Dest[12 0 R/Fit]>>',
    },
  })
  expect(outlined.outline).toEqual([
    { title: 'First part', part: 1 },
    { title: 'Second part', part: 2 },
  ])
  const body = lines(50, 700, ['some text that is longer than its heading', 'and goes on'])
  const headed = await read({ pages: [{ content: body }, { content: line(50, 780, 'Heading', 20) + body }] })
  expect(headed.outline).toEqual([{ title: 'Heading', part: 2 }])
})

test('reads Chinese with a character map that the file does not include', async () => {
  const content = 'BT /F2 12 Tf 50 700 Td <4E2D6587> Tj ET\n'
  const { parts } = await read({
    pages: [{ content }],
    fonts: '/F2 1001 0 R',
    objects: {
      1: '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[1002 0 R]>>',
      2: '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 1003 0 R>>',
      3: '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
    },
  })
  expect(parts[0]?.text).toBe('中文')
})

test('a picture alone has no text', async () => {
  expect(await textsOf('0 0 1 rg 100 100 200 200 re f\n')).toEqual([''])
})

test('reports files that are not PDFs, or are incomplete', async () => {
  for (const data of [new TextEncoder().encode('%PDF-1.7 nothing'), makePdf({ pages: [] }).slice(0, 60)]) {
    const document = await readDocument(sandbox, { format: 'pdf', data }, new AbortController().signal)
    expect(document).toMatchObject({ ok: false, error: { reason: 'told.document.flaw' } })
  }
})

/** A drawn font as TeX makes them: the names of its letters are their codes. */
async function readDrawn(content: string) {
  const codes = Array.from({ length: 256 }, (_, code) => code)
  const names = `/Encoding<</Type/Encoding/Differences[0 ${codes.map((code) => `/a${code}`).join(' ')}]>>`
  const drawings = `/CharProcs<<${codes.map((code) => `/a${code} 1001 0 R`).join(' ')}>>`
  const widths = `/FirstChar 0/LastChar 255/Widths[${codes.map(() => 5).join(' ')}]`
  const font = `<</Type/Font/Subtype/Type3/FontBBox[0 0 10 10]/FontMatrix[.1 0 0 .1 0 0]/Resources<<>>${widths}${names}${drawings}>>`
  const { parts } = await read({
    pages: [{ content }],
    fonts: '/T3 1000 0 R',
    objects: { 0: font, 1: stream('5 0 0 0 4 4 d1 0 0 4 4 re f') },
  })
  return parts.map(({ text }) => text)
}

test.each([
  ['the old encoding', String.raw`An o\016ce in the stra\031e, ra\017esia`, 'An office in the straße, rafflesia'],
  [
    'the new encoding',
    String.raw`An o\036cial \034le \035ows, Stra\377e f\374r \201`,
    'An official file flows, Straße für Ą',
  ],
  ['a sign alone', String.raw`\017) Tj 10 0 Td (First`, '• First'],
])('reads the letters of drawn fonts of TeX: %s', async (_what, shown, text) => {
  expect(await readDrawn(`BT /T3 12 Tf 50 700 Td (${shown}) Tj ET`)).toEqual([text])
})

test('joins an accent with the letter that is drawn below it, and leaves one before a letter', async () => {
  expect(
    await textsOf(
      String.raw`BT /F1 12 Tf 50 700 Td [(Die Br\250) 333 (ucke)] TJ ET`,
      String.raw`BT /F1 12 Tf 50 700 Td (die ) Tj 19.3 3 Td (\250) Tj 0 -3 Td (Uberg) Tj ET`,
      String.raw`BT /F1 12 Tf 50 700 Td (Wie geht\264s) Tj ET`,
    ),
  ).toEqual(['Die Brücke', 'die Überg', 'Wie geht´s'])
})
