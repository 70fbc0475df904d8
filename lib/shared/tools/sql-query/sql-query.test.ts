import { describe, expect, test } from 'vitest'
import { createReaderSandbox } from '@/lib/sandbox/documents/testing/reader-sandbox'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import { filesWith, runTool, sentenceOf } from '../testing/files'
import { sqlQuery } from '.'

/* The tool with its real reader, in a Node worker. */

const files = {
  '/orders.csv': 'city,total\nUlm,10\nBonn,5\nUlm,2.5\n',
  '/data/Cities 1.json': '[{"name":"Ulm","people":126000}]',
  '/notes.md': 'select nothing',
  '/secret.csv': 'a\n1\n',
}

async function ask(args: { readonly query: string; readonly files?: readonly string[] }) {
  const vfs = await filesWith(files)
  const shown: SandboxEvent[] = []
  const outcome = await runTool(
    sqlQuery,
    { ...args, ...(args.files && { files: [...args.files] }) },
    { vfs, sandbox: createReaderSandbox(), onEvent: (event: SandboxEvent) => shown.push(event) },
  )
  return { outcome, shown }
}

describe('sql_query', () => {
  test('finds the files whose tables the query names, and passes on no others', async () => {
    const { outcome, shown } = await ask({
      query:
        'select o.city, sum(o.total) as sum, c.people from orders o left join cities_1 c on c.name = o.city group by 1',
    })
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        columns: ['city', 'sum', 'people'],
        rows: [
          ['Bonn', 5, null],
          ['Ulm', 12.5, 126_000],
        ],
        totalRows: 2,
        tables: [
          { table: 'cities_1', from: '/data/Cities 1.json', columns: ['name text', 'people integer'] },
          { table: 'orders', rows: 3 },
        ],
      },
    })
    expect(shown).toMatchObject([{ type: 'display', kind: 'table', name: 'result' }])
  })

  test('loads the named files', async () => {
    const { outcome } = await ask({ query: 'select count(*) from secret', files: ['secret.csv'] })
    expect(outcome).toMatchObject({ ok: true, result: { rows: [[1]] } })
  })

  test('says what tables there are if a query names none of them', async () => {
    const { outcome } = await ask({ query: 'select * from sales' })
    expect(outcome).toMatchObject({
      ok: false,
      message: 'no such table: sales',
      result: {
        files: [
          { path: '/data/Cities 1.json', table: 'cities_1' },
          { path: '/orders.csv', table: 'orders' },
          { path: '/secret.csv', table: 'secret' },
        ],
      },
    })
  })

  test('names a missing file, and one that is no table', async () => {
    expect((await ask({ query: 'select 1', files: ['/order.csv'] })).outcome).toMatchObject({
      ok: false,
      reason: 'ENOENT',
    })
    const { outcome } = await ask({ query: 'select 1', files: ['/notes.md'] })
    expect(outcome).toMatchObject({ ok: false, reason: 'not-data' })
    expect(!outcome.ok && outcome.message).toContain('/notes.md is not a file of data')
  })

  test('reports SQLite’s own error with the existing columns', async () => {
    const { outcome } = await ask({ query: 'select price from orders' })
    expect(outcome).toMatchObject({
      ok: false,
      message: 'no such column: price',
      result: { tables: [{ table: 'orders', columns: ['city text', 'total real'] }] },
    })
  })
})

test('the card says how many files are read, and that none is changed', () => {
  expect(sentenceOf(sqlQuery, { query: 'select 1', files: ['/a.csv', '/b.csv'] })).toBe(
    'Query 2 files; no file is changed',
  )
  expect(sentenceOf(sqlQuery, { query: 'select 1' })).toBe('Query the data files it names; no file is changed')
})
