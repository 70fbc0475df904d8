import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { prepared } from './database-time'
import type { Schema } from '../ports/schema'
import { decodeTestSettings } from '../testing/rows'
import { openRawStore } from '../testing/open-raw-store'

type Raw = Awaited<ReturnType<typeof openRawStore>>
let one: Raw
let other: Raw
beforeAll(async () => {
  one = await openRawStore({ decodeSettings: decodeTestSettings })
  other = await openRawStore({ decodeSettings: decodeTestSettings })
})
afterAll(async () => {
  await one.close()
  await other.close()
})

interface Owner {
  readonly owner: string
  readonly seen: number
}
const add = (db: Kysely<Schema>, { owner, seen }: Owner) =>
  db
    .insertInto('owners')
    .values({ owner, kind: 'visitor', first_seen: seen, last_seen: seen })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ last_seen: seen }))

describe('a prepared statement', () => {
  it('is built once for each database, and runs with the values of each call', async () => {
    const build = vi.fn<typeof add>(add)
    const insert = prepared(build)
    for (const { tables } of [one, other]) {
      for (const seen of [1, 2, 3]) {
        const { numAffectedRows } = await insert(tables, { owner: `o${seen % 2}`, seen })
        expect(numAffectedRows).toBe(1n)
      }
      const rows = await tables
        .selectFrom('owners')
        .select(['owner', 'first_seen', 'last_seen'])
        .orderBy('owner')
        .execute()
      expect(rows).toEqual([
        { owner: 'o0', first_seen: 2, last_seen: 2 },
        { owner: 'o1', first_seen: 1, last_seen: 3 },
      ])
    }
    expect(build).toHaveBeenCalledTimes(2)
  })

  it('can be used within a transaction, and can be written as SQL', async () => {
    const insert = prepared(add)
    const count = prepared(
      (_, { owner }: Pick<Owner, 'owner'>) =>
        sql<{
          readonly n: number | string
        }>`select count(*) as n from owners where owner = ${owner} or owner = ${owner}`,
    )
    const kept = async (db: Kysely<Schema>) => Number((await count(db, { owner: 'undone' })).rows[0]?.n)
    const failed = one.tables.transaction().execute(async (trx) => {
      await insert(trx, { owner: 'undone', seen: 1 })
      expect(await kept(trx)).toBe(1)
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    expect(await kept(one.tables)).toBe(0)
  })
})
