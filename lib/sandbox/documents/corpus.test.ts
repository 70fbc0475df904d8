import { afterAll, describe, expect, test } from 'vitest'
import { isNightly } from '@/scripts/test/nightly'
import { readDocument } from '../read-document'
import { readOfficeDocument } from './read-office'
import { documentCorpus, headingsOf, itemsOf, plainWords, rowsOf } from './testing/document-corpus'
import { createReaderSandbox } from './testing/reader-sandbox'

// Documents that LibreOffice, pandoc, Chromium and Python packages wrote from known texts (corpus/documents/make.py), and packages of npm (make.mjs).

const sandbox = createReaderSandbox()
afterAll(() => sandbox.dispose())

async function partsOf({ format, data }: (typeof documentCorpus)[number]) {
  if (format !== 'pdf') return (await readOfficeDocument(format, data())).parts
  const read = await readDocument(sandbox, { format, data: data() }, new AbortController().signal)
  if (!read.ok) throw new Error(read.error.message)
  return read.value.parts
}

// Each PDF takes the start of a worker: run nightly, or whenever all tests are requested.
const isRead = ({ format }: { readonly format: string }) => format !== 'pdf' || isNightly
const texts = documentCorpus.filter((each) => each.text !== null && isRead(each))
const workbooks = documentCorpus.filter((each) => each.sheets !== null)

test('the corpus has documents of every format, and of many programs', () => {
  expect(documentCorpus.length).toBeGreaterThanOrEqual(70)
  expect(new Set(documentCorpus.map(({ format }) => format)).size).toBe(9)
  expect(new Set(documentCorpus.map(({ producer }) => producer)).size).toBeGreaterThanOrEqual(14)
})

describe('extracts a document’s text: words in order, headings, lists and tables, and nothing hidden', () => {
  test.each(texts)('$file', async (document) => {
    const parts = await partsOf(document)
    const markdown = parts.map(({ text }) => text).join('\n\n')
    const given = {
      words: plainWords(markdown),
      headings: headingsOf(markdown),
      items: itemsOf(markdown),
      rows: rowsOf(markdown),
    }
    const { text: words = '', headings = [], items = [], rows = [] } = document.text ?? {}
    expect(given).toEqual({ words, headings, items, rows })
    expect(parts.filter(({ hidden }) => hidden > 0)).toEqual([])
  })
})

const csvCell = (value: string | number): string =>
  /[",\n]/.test(`${value}`) ? `"${`${value}`.replaceAll('"', '""')}"` : `${value}`

describe('extracts a workbook’s sheets as CSV', () => {
  test.each(workbooks)('$file', async (document) => {
    const parts = await partsOf(document)
    expect(parts.map(({ label, text }) => [label, text])).toEqual(
      Object.entries(document.sheets ?? {}).map(([name, rows]) => [
        name,
        rows.map((row) => row.map(csvCell).join(',')).join('\n'),
      ]),
    )
  })
})
