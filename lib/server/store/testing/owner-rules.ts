import { sql, type Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { checkBackup, restoreBackup } from '../backup/restore-backup'
import { tablesOf, type AnyDatabase, writeBackup } from '../backup/backup-file'
import { keptBytes } from '../database/conversation-bytes'
import { migrateToLatest } from '../database/apply-migrations'
import type { Schema } from '../ports/schema'
import { type Store, deletedOwners } from '../ports/store'
import { countedColumns, storedInRows, ownTables, uncountedColumns, wordColumns } from './stored-columns'
import { decodeTestSettings } from './rows'
import type { ShippedStore } from './shipped-store'

/** What is kept of an owner who deleted everything, and why. */
const stays: Readonly<Record<string, string>> = {
  quotas: 'what was taken of today: else deleting would fill it up again',
  run_claims: 'the place of a reply that belongs to no chat, until it ends or its node is heard of no more',
}

const rowsOf = async (db: AnyDatabase, table: string): Promise<readonly Record<string, unknown>[]> =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows

/** Every row of every table, in an order that does not depend on insertion. */
async function allRows(db: AnyDatabase, kind: Store['kind']) {
  const all: Record<string, readonly string[]> = {}
  for (const { name, columns } of await tablesOf(db, kind)) {
    const rows = await rowsOf(db, name)
    all[name] = rows.map((row) => JSON.stringify(columns.toSorted().map((column) => row[column]))).toSorted()
  }
  return all
}

/**
 * Rules for every table with an owner, checked on the rows that the contracts left: its content is counted, restored
 * from a backup, and deleted with its owner. A new table is checked automatically.
 */
export function ownerRules(name: string, places: readonly string[], shipped: ShippedStore): void {
  const { kind, make, open, tables, reader } = shipped
  const any = (db: Kysely<Schema>) => db as unknown as AnyDatabase
  const fresh = async () => {
    const place = await make()
    await (await open(place, { decodeSettings: decodeTestSettings })).close()
    return place
  }
  /** The contracts' databases, as many as needed to have rows in every table with an owner. */
  async function fillingPlaces() {
    const wanted = new Set<string>()
    const chosen: string[] = []
    for (const [at, place] of places.entries()) {
      const db = tables(place)
      if (at === 0) for (const table of await ownTables(db, reader)) wanted.add(table)
      const filled: string[] = []
      for (const table of wanted) if ((await rowsOf(any(db), table)).length > 0) filled.push(table)
      if (filled.length > 0) chosen.push(place)
      for (const table of filled) wanted.delete(table)
      await db.destroy()
    }
    return { chosen, empty: [...wanted] }
  }

  describe(`what an owner keeps, after all contracts: ${name}`, () => {
    it('is the sum of the rows, however they were written', async () => {
      let owners = 0
      for (const place of places) {
        const db = tables(place)
        for (const [owner, bytes] of await storedInRows(db)) {
          expect([owner, await keptBytes(db, owner)]).toEqual([owner, bytes])
          owners += 1
        }
        await db.destroy()
      }
      expect(owners).toBeGreaterThan(50)
    })

    it('includes every column with text, or a documented reason why not', async () => {
      const db = tables(await fresh())
      const found = await wordColumns(db, reader)
      await db.destroy()
      const counted = Object.entries(countedColumns).flatMap(([table, columns]) =>
        columns.map((column) => `${table}.${column}`),
      )
      expect(found.filter((column) => !counted.includes(column) && !(column in uncountedColumns))).toEqual([])
      expect([...counted, ...Object.keys(uncountedColumns)].filter((column) => !found.includes(column))).toEqual([])
    })

    it('is restored from a backup, and deleted with everything else, in every table', async () => {
      const { chosen, empty } = await fillingPlaces()
      expect(empty).toEqual([])
      for (const place of chosen) {
        const db = tables(place)
        await migrateToLatest(db)
        const before = await allRows(any(db), kind)
        const lines: string[] = []
        for await (const line of writeBackup(any(db), { at: 5, store: kind })) lines.push(line.trimEnd())
        const read = async function* () {
          yield* lines
        }
        const other = tables(await fresh())
        await restoreBackup(any(other), kind, read)
        expect(await allRows(any(other), kind)).toEqual(before)
        await other.destroy()
        await expect(checkBackup(read())).resolves.toBeDefined()

        const own = await ownTables(db, reader)
        const owners = new Set<string>()
        for (const table of own) for (const { owner } of await rowsOf(any(db), table)) owners.add(String(owner))
        const store = await open(place, { decodeSettings: decodeTestSettings })
        for (const owner of owners) await store.eraseOwner(owner)
        while ((await store.purgeErased(1_000)) > 0);
        await store.close()
        for (const table of own.filter((one) => !(one in stays))) {
          const left = (await rowsOf(any(db), table)).filter(({ owner }) => owner !== deletedOwners)
          expect([table, left]).toEqual([table, []])
        }
        await db.destroy()
      }
    })
  })
}
