import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openSqliteStore } from '../sqlite/open-sqlite-store'
import { decodeTestSettings } from './rows'

/** A SQLite file with the current tables, which is copied: to migrate each one takes longer. One per process. */
let withTables: Promise<string> | null = null

async function makeTables(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'nod-test-tables-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'nod.sqlite')
  await (await openSqliteStore(file, { decodeSettings: decodeTestSettings })).close()
  return file
}

/** A new folder with a SQLite file, which has the current tables. */
export async function createTestFile(parent = tmpdir()): Promise<{ readonly dir: string; readonly file: string }> {
  const tables = await (withTables ??= makeTables())
  const dir = mkdtempSync(join(parent, 'nod-test-store-'))
  const file = join(dir, 'nod.sqlite')
  copyFileSync(tables, file)
  return { dir, file }
}

/**
 * The connection string of a new PostgreSQL database, empty or with the current tables; it is deleted after the test
 * run.
 */
export async function createTestDatabase(content: 'empty' | 'tables' = 'empty'): Promise<string> {
  const path = content === 'tables' ? '/with-tables' : '/'
  const response = await fetch(new URL(path, inject('testDatabases')), { method: 'POST' })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
