import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Schema } from '../../ports/schema'
import { unboundTables } from './owner-in-sql'
import { overAllOwners, undivided } from './over-all-owners'
import type { Statement, StatementWatch } from './watch-statements'

/** How a test inspects a database. */
export interface DatabaseReader {
  /** The columns of each table's primary key, in key order. */
  readonly keys: (db: Kysely<Schema>) => Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * How a statement looks up rows, one line per table; `byOwner` if it reads only one owner's rows, `byIndex` if it
   * does not scan the table.
   */
  readonly plan: (
    db: Kysely<Schema>,
    statement: Statement,
  ) => Promise<
    readonly { readonly table: string; readonly byOwner: boolean; readonly byIndex: boolean; readonly line: string }[]
  >
}

/** They contain only current work, so a scan is cheap. */
const fewRows: ReadonlySet<string> = new Set(['run_claims', 'words_due'])

const allowedFor = (method: string): readonly string[] =>
  Object.entries(overAllOwners).find(([name]) => name === method)?.[1].tables ?? []

/** Whether the key begins with the owner. */
export const ownerIsFirst = (key: readonly string[]): boolean => key[0] === 'owner'

/**
 * Checks that every table and every statement separates owners; runs after the contracts, whose stores `watch` opened.
 * A table without an owner, or a query that does not name one, fails here with its name.
 */
export function statementRules(
  name: string,
  watch: StatementWatch,
  openTables: () => Promise<Kysely<Schema>>,
  database: DatabaseReader,
): void {
  describe(`every row and every statement has an owner: ${name}`, () => {
    let db: Kysely<Schema>
    let divided: ReadonlySet<string> = new Set()
    beforeAll(async () => {
      db = await openTables()
      divided = new Set([...(await database.keys(db)).keys()].filter((table) => !(table in undivided)))
    })
    afterAll(() => db.destroy())

    it('is in every table, first in its key', async () => {
      const keys = await database.keys(db)
      expect([...keys].filter(([table, key]) => !(table in undivided) && !ownerIsFirst(key))).toEqual([])
      expect(divided.size).toBeGreaterThanOrEqual(10)
      expect(Object.keys(undivided).filter((table) => !keys.has(table))).toEqual([])
    })

    it('the contracts call every method of the store', () => {
      const asked = new Set(watch.statements().map(({ method }) => method))
      expect(watch.methods().filter((method) => method !== 'close' && !asked.has(method))).toEqual([])
      // A statement that came from no method could not be assigned.
      expect([...asked].filter((method) => !watch.methods().includes(method))).toEqual([])
    })

    it('is in every statement, for each table in it', async () => {
      const found = new Map<string, Set<string>>()
      const forgotten: string[] = []
      for (const { method, sql: text } of watch.statements()) {
        for (const table of await unboundTables(text, divided)) {
          if (allowedFor(method).includes(table)) found.set(method, (found.get(method) ?? new Set()).add(table))
          else forgotten.push(`${method} says no owner of ${table}: ${text}`)
        }
      }
      expect(forgotten).toEqual([])
      // Every listed exception is needed.
      const named = Object.entries(overAllOwners).map(([method, { tables }]) => [method, new Set<string>(tables)])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(named))
    })

    it('is found by its key, without scanning a table', async () => {
      const lines: string[] = []
      let looked = 0
      for (const statement of watch.statements()) {
        for (const { table, byOwner, byIndex, line } of await database.plan(db, statement)) {
          if (!divided.has(table)) continue
          looked += 1
          const isAllowed = byIndex || fewRows.has(table) ? allowedFor(statement.method).includes(table) : false
          if (!byOwner && !isAllowed) {
            lines.push(`${statement.method}: ${line}: ${statement.sql}`)
          }
        }
      }
      expect(lines).toEqual([])
      expect(looked).toBeGreaterThan(watch.statements().length / 2)
    })
  })
}
