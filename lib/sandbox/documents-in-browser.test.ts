import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeXlsx } from './documents/testing/make-office'
import { bombPdf, formsInFormsPdf, line, makePdf } from './documents/testing/make-pdf'
import { openSuite, type BrowserSuite } from './testing/browser-suite/run'

// Documents in the sandboxed frame of a real browser, under its policies.

let suite: BrowserSuite
let page: Awaited<ReturnType<BrowserSuite['newPage']>>
const problems: string[] = []

beforeAll(async () => {
  suite = await openSuite()
  page = await suite.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) problems.push(message.text())
  })
}, 120_000)
afterAll(async () => {
  await suite.close()
})

const read = (format: 'pdf' | 'xlsx', data: Uint8Array) =>
  page.evaluate(([kind, base64]) => globalThis.suite.readDocument(kind, base64), [
    format,
    Buffer.from(data).toString('base64'),
  ] as const)

const words = { content: line(50, 700, 'Words of the first page.') }

test('reads a PDF and a workbook without policy violations', async () => {
  expect(await read('pdf', makePdf({ pages: [words] }))).toMatchObject({
    cut: null,
    texts: ['Words of the first page.'],
  })
  const rows = '<row r="1"><c r="A1"><v>7</v></c></row>'
  expect(await read('xlsx', makeXlsx([{ name: 'A', rows }]))).toMatchObject({ texts: ['7'] })
  expect(problems).toEqual([])
})

test('reports a bomb with an error, and the page keeps working', async () => {
  const done = await read('pdf', bombPdf([]))
  expect(done.error).toMatch(/needs too much memory/)
  expect(done.intact).toBe(true)
  expect(await read('pdf', makePdf({ pages: [words] }))).toMatchObject({ texts: ['Words of the first page.'] })
}, 60_000)

test('stops an endless page at the time limit, and keeps the page before it', async () => {
  expect(await read('pdf', formsInFormsPdf([words]))).toMatchObject({
    cut: 'time',
    texts: ['Words of the first page.'],
  })
  expect(await read('pdf', makePdf({ pages: [words] }))).toMatchObject({ cut: null })
}, 60_000)
