import { expect, test } from 'vitest'
import { err, ok } from '@/lib/base/result'
import { isJsonObject } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import type { DocumentText } from '@/lib/sandbox/document'
import type { DocumentReader } from '@/lib/shared/documents/document-reader'
import { filesWith, runTool } from '../testing/files'
import { searchFiles } from '.'

const document = (texts: readonly string[], more: Partial<DocumentText> = {}): DocumentText => ({
  format: 'pdf',
  unit: 'page',
  total: texts.length,
  parts: texts.map((text) => ({ label: '', text, hidden: 0 })),
  outline: [],
  cut: null,
  ...more,
})

async function search(documents: DocumentReader, args: Readonly<Record<string, string | boolean>>) {
  const vfs = await filesWith({ '/a.pdf': '%PDF-1.7', '/b.xlsx': 'PK\u0003\u0004', '/notes.md': 'rent is due' })
  const outcome = await runTool(searchFiles, args, { vfs, documents })
  const result = outcome.result ?? null
  if (!isJsonObject(result)) throw new Error('no result')
  return result
}

const both: DocumentReader = {
  known: () => null,
  read: async ({ format }) =>
    ok(
      format === 'pdf'
        ? document(['nothing', 'the rent\nand the RENT'])
        : document(['a,1\nrent,2'], { format: 'xlsx', unit: 'sheet' }),
    ),
}

test('searches documents, and a match names the page, in a sheet the row', async () => {
  expect(await search(both, { query: 'rent' })).toEqual({
    matches: [
      { path: '/a.pdf', page: 2, text: 'the rent' },
      { path: '/a.pdf', page: 2, text: 'and the RENT' },
      { path: '/b.xlsx', sheet: 1, row: 2, text: 'rent,2' },
      { path: '/notes.md', line: 1, text: 'rent is due' },
    ],
    searchedFiles: 3,
  })
})

test('names documents that can’t be read now', async () => {
  const none: DocumentReader = { known: () => null, read: async () => err(makeModelMessage('told.document.late')) }
  const found = await search(none, { query: 'rent' })
  expect(found['matches']).toEqual([{ path: '/notes.md', line: 1, text: 'rent is due' }])
  expect(found['note']).toBe('2 documents not searched: read one with read_file first, such as /a.pdf.')
})

test('a list of files names them as before', async () => {
  expect(await search(both, { query: '', glob: '*.pdf' })).toEqual({ files: [{ path: '/a.pdf', size: 8 }] })
})
