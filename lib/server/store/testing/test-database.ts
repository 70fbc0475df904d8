import { inject } from 'vitest'

/** The connection string of a new, empty PostgreSQL database; it is deleted after the test run. */
export async function createTestDatabase(): Promise<string> {
  const response = await fetch(inject('testDatabases'), { method: 'POST' })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
