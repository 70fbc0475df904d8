import { describe, expect, test } from 'vitest'
import { isNightly } from '@/scripts/test/nightly'
import { documentLimits } from '../../document'
import { readDocument } from '../../read-document'
import { pdfLimits, withPdfLimits } from '@/scripts/pdf-reader.mjs'
import { bombPdf, formsInFormsPdf, line, makePdf, stream } from '../testing/make-pdf'
import { createReaderSandbox } from '../testing/reader-sandbox'

// PDFs made to exhaust a reader's memory or time. Each ends with the part that could be read, or with an error message.

async function read(data: Uint8Array) {
  return readDocument(createReaderSandbox(), { format: 'pdf', data }, new AbortController().signal)
}

const flawOf = (document: Awaited<ReturnType<typeof read>>) => (document.ok ? 'read' : document.error.message)

/** A PDF of one page with a part of it replaced. */
const changedPdf = (what: string | RegExp, by: string): Uint8Array => {
  const pdf = Buffer.from(makePdf({ pages: [{ content: line(50, 700, 'words') }] })).toString('latin1')
  return new Uint8Array(Buffer.from(pdf.replace(what, by), 'latin1'))
}

test.runIf(isNightly)(
  'ends with an error for a nested stream that unpacks to far more than its size',
  async () => {
    expect(bombPdf([]).length).toBeLessThan(10_000)
    expect(flawOf(await read(bombPdf([])))).toMatch(/needs too much memory|took too long/)
    // The rest of the file is read.
    expect(flawOf(await read(bombPdf([{ content: line(50, 700, 'words') }])))).toBe('read')
  },
  60_000,
)

describe('ends', () => {
  test('pages that contain each other', async () => {
    expect(flawOf(await read(changedPdf('/Kids[10 0 R]', '/Kids[2 0 R ]')))).toMatch(/damaged/)
  })

  test('a file that claims to have a billion pages', async () => {
    const document = await read(changedPdf('/Count 1>>', '/Count 999999999>>'))
    if (document.ok) expect(document.value.parts.length).toBeLessThanOrEqual(documentLimits.parts)
    else expect(document.error.message).toMatch(/damaged/)
  }, 30_000)

  test('a stream that claims to be two gigabytes long', async () => {
    expect(flawOf(await read(changedPdf(/\/Length \d+/, '/Length 2147483647')))).toMatch(/damaged|read/)
  })

  test('a form that draws itself', async () => {
    const form = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Fm 1001 0 R>>>>'
    const data = makePdf({
      pages: [{ content: `${line(50, 700, 'words')}/Fm Do\n` }],
      resources: '/XObject<</Fm 1001 0 R>>',
      objects: { 1: stream('/Fm Do\n', form) },
    })
    expect(flawOf(await read(data))).toBe('read')
  })

  /** A page in marked content, with this tree of tags. */
  const tagged = (content: string, objects: Record<number, string>) =>
    makePdf({
      pages: [{ content, more: '/StructParents 0' }],
      catalog: '/MarkInfo<</Marked true>>/StructTreeRoot 1001 0 R',
      objects: { 2: '<</Nums[0[1003 0 R]]>>', ...objects },
    })
  const marked = (id: number, text: string) => `/P<</MCID ${id}>>BDC ${line(50, 700 - 20 * id, text)}EMC\n`

  test('tags that contain themselves', async () => {
    const data = tagged(marked(0, 'words'), {
      1: '<</Type/StructTreeRoot/K 1003 0 R/ParentTree 1002 0 R>>',
      3: '<</Type/StructElem/S/Sect/P 1003 0 R/Pg 10 0 R/K[1003 0 R 1003 0 R 0]>>',
    })
    const document = await read(data)
    expect(document.ok && document.value.parts[0]?.text).toBe('words')
  }, 30_000)

  test('tags that claim the same words a hundred thousand times', async () => {
    const data = tagged(marked(0, 'words'), {
      1: '<</Type/StructTreeRoot/K 1003 0 R/ParentTree 1002 0 R>>',
      3: `<</Type/StructElem/S/Table/P 1001 0 R/Pg 10 0 R/K[${'0 '.repeat(100_000)}]>>`,
    })
    const document = await read(data)
    expect(document.ok && document.value.parts[0]?.text).toBe('words')
  }, 30_000)

  const sectionOf = (kids: string) => ({
    1: '<</Type/StructTreeRoot/K 1003 0 R/ParentTree 1002 0 R>>',
    3: `<</Type/StructElem/S/P/P 1001 0 R/Pg 10 0 R/K[${kids}]>>`,
  })
  const many = 10_000
  const words = Array.from({ length: 800 }, (_, n) => `w${n}`)

  test.each([
    ['before the words, without ids', '/Span BMC\n'.repeat(many) + marked(0, 'some words'), 'somewords'],
    ['before the words, with ids', '/P<</MCID 0>>BDC\n'.repeat(many) + line(50, 700, 'some words'), 'somewords'],
    [
      'around each of many words',
      words
        .map(
          (text, n) =>
            `${'/Span BMC '.repeat(12)}/P<</MCID 0>>BDC ${line(50 * (n % 10), 800 - 9 * Math.floor(n / 10), text)}`,
        )
        .join(''),
      words.join(''),
    ],
    [
      'before many words that are marked',
      '/Span BMC\n'.repeat(many) +
        words.map((text, n) => line(50 * (n % 10), 800 - 9 * Math.floor(n / 10), text)).join(''),
      words.join(''),
    ],
    [
      'properly nested',
      `${'/P<</MCID 0>>BDC\n'.repeat(many)}${line(50, 700, 'some words')}${'EMC\n'.repeat(many)}`,
      'somewords',
    ],
  ])(
    'marked content that is opened ten thousand times %s',
    async (_where, content, text) => {
      const document = await read(tagged(content, sectionOf('0')))
      expect(document.ok && document.value.parts[0]?.text.replaceAll(/[\s|-]+/g, '')).toBe(text)
    },
    60_000,
  )

  test('marked content that a thousand forms open and never close', async () => {
    const form = '/Type/XObject/Subtype/Form/BBox[0 0 600 900]/Resources<</Font<</F1 3 0 R>>>>'
    const data = makePdf({
      pages: [{ content: `${'/Fm Do\n'.repeat(1_000)}${marked(0, 'last words')}`, more: '/StructParents 0' }],
      catalog: '/MarkInfo<</Marked true>>/StructTreeRoot 1001 0 R',
      resources: '/XObject<</Fm 1004 0 R>>',
      objects: {
        ...sectionOf('0'),
        2: '<</Nums[0[1003 0 R]]>>',
        4: stream('/Span BMC /P<</MCID 5>>BDC\n'.repeat(10) + line(50, 720, 'x'), form),
      },
    })
    const document = await read(data)
    expect(document.ok && document.value.parts[0]?.text).toBe(`${'x'.repeat(1_000)}\n\nlast words`)
  }, 60_000)

  test.runIf(isNightly)(
    'nested forms that draw eight forms each, at the time limit, with the pages before them',
    async () => {
      const document = await read(formsInFormsPdf([{ content: line(50, 700, 'first page') }]))
      expect(document).toMatchObject({ ok: true, value: { total: 2, cut: 'time' } })
      expect(document.ok && document.value.parts[0]?.text).toBe('first page')
    },
    60_000,
  )
})

describe('the limits that are patched into pdf.js', () => {
  const whole = pdfLimits.map(({ place }) => place).join('\n')

  test('are present in the bundle', () => {
    for (const { add } of pdfLimits) expect(withPdfLimits(whole)).toContain(add)
  })

  test.each(pdfLimits)('fail the build if a place to patch is missing or repeated: $what', ({ place }) => {
    expect(() => withPdfLimits(whole.replace(place, ''))).toThrow('not as it is known here')
    expect(() => withPdfLimits(whole + place)).toThrow('not as it is known here')
  })
})
