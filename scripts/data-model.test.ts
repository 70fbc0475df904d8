import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'

const folder = mkdtempSync(path.join(tmpdir(), 'nod-data-model-'))
const file = path.join(folder, 'nod.sqlite')
const page = readFileSync(path.join(import.meta.dirname, '../docs/reference/data-model.md'), 'utf8')

/** Tables of Kysely and of SQLite's full-text index. */
const notOurs = /^(?:kysely_|sqlite_|message_index)/

/** Each table of the database, with its primary key columns in order. */
function tablesOf(database: DatabaseSync): Readonly<Record<string, string>> {
  const names = database.prepare("select name from sqlite_master where type = 'table'").all() as { name: string }[]
  const keyOf = (name: string): string =>
    (
      database.prepare(`select name, pk from pragma_table_info('${name}') where pk > 0 order by pk`).all() as {
        name: string
      }[]
    )
      .map((column) => column.name)
      .join(', ')
  return Object.fromEntries(names.filter(({ name }) => !notOurs.test(name)).map(({ name }) => [name, keyOf(name)]))
}

beforeAll(async () => {
  const store = await openSqliteStore(file, { decodeSettings, version: '0' })
  await store.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('the data model page has every table with its primary key', () => {
  const described = [...page.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\|/gm)].map(([, name = '', key = '']) => [name, key])
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = tablesOf(database)
  database.close()
  expect(Object.fromEntries(described)).toEqual(tables)
})
