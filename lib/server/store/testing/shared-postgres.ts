import { errorText } from '@/lib/base/app-error'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { startTestPostgres, type TestPostgres } from './postgres'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test requests a new database: `POST /` returns its connection string. */
    testDatabases: string
  }
}

/**
 * One PostgreSQL for a whole test run, started when the first test needs a database and stopped at the end: a server
 * for each file would cost more than the tests.
 */
export default async function sharedPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<TestPostgres> | null = null
  const server = createServer((_, response) => {
    postgres ??= startTestPostgres()
    postgres
      .then((started) => started.createDatabase())
      .then(
        (url) => response.end(url),
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
