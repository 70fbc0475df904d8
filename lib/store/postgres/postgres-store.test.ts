import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvalContract } from '../store-approval.contract'
import { imagesContract } from '../store-images.contract'
import { storeContract } from '../store.contract'
import { asStoreError } from '../store-error'
import { startTestPostgres, type TestPostgres } from '../testing/postgres'
import { decodeTestSettings } from '../testing/rows'
import { runStoreProcesses } from '../testing/store-processes'
import { openPostgresStore } from './open-postgres-store'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startTestPostgres()
})
afterAll(() => postgres.stop())

const options = { decodeSettings: decodeTestSettings }

const openBoth = async () => {
  const url = await postgres.createDatabase()
  // Both at once on an empty database: migrations must not race.
  const [store, other] = await Promise.all([openPostgresStore(url, options), openPostgresStore(url, options)])
  return {
    store,
    other,
    close: async () => {
      await store.close()
      await other.close()
    },
  }
}
storeContract('PostgreSQL', openBoth)
approvalContract('PostgreSQL', openBoth)
imagesContract('PostgreSQL', openBoth)

describe('the PostgreSQL store', () => {
  it('says in words when the server is away', async () => {
    const gone = await openPostgresStore('postgresql://nobody@/none?host=/tmp/no-such-socket-folder', options).catch(
      (error: unknown) => asStoreError(error),
    )
    expect(gone).toMatchObject({ code: 'unavailable' })
  })

  it('serves four processes that migrate, append and decide at once', async () => {
    const url = await postgres.createDatabase()
    const totals = await runStoreProcesses({ kind: 'postgres', target: url }, 4)
    expect(totals).toEqual({ starts: 4, appended: 80, granted: 10, messages: 160, gaps: 0 })
  })
})
