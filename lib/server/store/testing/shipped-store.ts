import type { Kysely, LogEvent } from 'kysely'
import { expect, it } from 'vitest'
import { rounds } from '@/scripts/test/nightly'
import type { Schema } from '../ports/schema'
import type { Store } from '../ports/store'
import { everyContract } from './every-contract'
import { ownerRules } from './owner-rules'
import { decodeTestSettings } from './rows'
import { statementRules, type DatabaseReader } from './statements/statement-rules'
import { watchStatements } from './statements/watch-statements'
import { runStoreProcesses } from './store-processes'

/** A kind of database that a server can use. */
export interface ShippedStore {
  readonly kind: Store['kind']
  /** A new database, empty or, if that is quicker, with the current tables: its file, or its URL. */
  readonly make: (content?: 'empty' | 'tables') => Promise<string>
  readonly open: (
    place: string,
    options: {
      readonly decodeSettings: typeof decodeTestSettings
      readonly version?: string
      readonly now?: () => number
      readonly log?: (event: LogEvent) => void
    },
  ) => Promise<Store>
  /** Its tables, once they exist. */
  readonly tables: (place: string) => Kysely<Schema>
  readonly reader: DatabaseReader
}

/**
 * Everything that such a kind must pass: the contracts, the owner in all of their statements, and concurrent processes.
 */
export function shippedStore(name: string, shipped: ShippedStore): void {
  const { kind, make, open, tables, reader } = shipped
  const watch = watchStatements()
  const decodeSettings = decodeTestSettings

  const places: string[] = []

  everyContract(name, async (now) => {
    const place = await make('tables')
    places.push(place)
    const one = () => watch.open(() => open(place, { decodeSettings, log: watch.log, ...(now && { now }) }))
    const store = await one()
    const other = await one()
    return {
      store,
      other,
      close: async () => {
        await store.close()
        await other.close()
      },
    }
  })

  statementRules(
    name,
    watch,
    async () => {
      const place = await make()
      await (await open(place, { decodeSettings, version: '1.0.0' })).close()
      return tables(place)
    },
    reader,
  )

  ownerRules(name, places, shipped)

  it(`${name} serves four processes that migrate, append and decide at once`, async ({ signal }) => {
    // They wait for each other at every append, so only the nightly run has more of them.
    const appends = rounds(20)
    const totals = await runStoreProcesses({ kind, target: await make() }, { count: 4, appends }, signal)
    expect(totals).toEqual({
      starts: 4,
      appended: 4 * appends,
      granted: 10,
      messages: 8 * appends,
      gaps: 0,
      quotas: { running: 7, queued: 5, spent: 12, requests: 25 },
    })
  }, 150_000)
}
