import { inject } from 'vitest'

/** The connection string of a fresh, empty PostgreSQL database; it goes with the run of the tests. */
export async function createTestDatabase(): Promise<string> {
  const response = await fetch(inject('testDatabases'), { method: 'POST' })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
