import { errorText } from '@/lib/base/app-error'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { openPostgresStore } from '../postgres/open-postgres-store'
import { startTestPostgres, type TestPostgres } from './postgres'
import { decodeTestSettings } from './rows'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test requests a new database: `POST /` or `POST /with-tables` returns its connection string. */
    testDatabases: string
  }
}

/**
 * One PostgreSQL for a whole test run, started when the first test needs a database and stopped at the end: a server
 * for each file would cost more than the tests.
 */
export default async function sharedPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<TestPostgres> | null = null
  let tables: Promise<string> | null = null
  /** A database with the current tables, which is copied: to migrate each one would cost more than most tests. */
  const migrated = async (started: TestPostgres): Promise<string> => {
    const url = await started.createDatabase()
    await (await openPostgresStore(url, { decodeSettings: decodeTestSettings })).close()
    return url
  }
  const create = async (withTables: boolean): Promise<string> => {
    const started = await (postgres ??= startTestPostgres())
    // A pooler stays connected to the database that would be copied.
    const isCopied = withTables && process.env['TEST_POOLER'] === undefined
    return started.createDatabase(isCopied ? await (tables ??= migrated(started)) : undefined)
  }
  const server = createServer(({ url }, response) => {
    create(url === '/with-tables').then(
      (created) => response.end(created),
      (error: unknown) => response.writeHead(500).end(errorText(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provide('testDatabases', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await (await postgres)?.stop()
  }
}
