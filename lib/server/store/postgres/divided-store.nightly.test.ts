import pg from 'pg'
import { expect, it } from 'vitest'
import { divideTables } from '../testing/divide-tables'
import { everyContract } from '../testing/every-contract'
import { decodeTestSettings, testConversation } from '../testing/rows'
import { createTestDatabase } from '../testing/test-database'
import { openPostgresStore } from './open-postgres-store'

/*
 * The same queries on tables that are partitioned by the hash of the owner: rows of other owners, and keys without the
 * owner, are not available to them.
 */

async function openDivided(now?: () => number) {
  const options = { decodeSettings: decodeTestSettings, ...(now && { now }) }
  const url = await createTestDatabase()
  await (await openPostgresStore(url, options)).close()
  const tables = await divideTables(url)
  const [store, other] = await Promise.all([openPostgresStore(url, options), openPostgresStore(url, options)])
  const close = async () => {
    await store.close()
    await other.close()
  }
  return { url, tables, store, other, close }
}

everyContract('PostgreSQL, divided by owner', openDivided)

it('a conversation of a partitioned store is in one partition, and moves completely to another owner’s', async () => {
  const { url, tables, store, close } = await openDivided()
  expect(tables.length).toBeGreaterThanOrEqual(10)
  for (const owner of ['ada', 'eve', 'zoe', 'kim', 'lou']) await store.createConversation(owner, testConversation('c'))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const parts = async () => {
    const { rows } = await client.query<{ part: string }>(
      'select distinct tableoid::regclass::text as part from conversations',
    )
    return rows.map(({ part }) => part)
  }
  expect((await parts()).length).toBeGreaterThan(1)
  await client.query(`update conversations set owner = 'account-' || owner`)
  expect(await store.listConversations('ada', '', 5)).toEqual([])
  expect(await store.listConversations('account-ada', '', 5)).toHaveLength(1)
  await client.end()
  await close()
})
