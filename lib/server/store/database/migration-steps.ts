import type { Kysely, KyselyPlugin } from 'kysely'
import type { Migration } from 'kysely/migration'
import { setImmediate as turn } from 'node:timers/promises'

/** A step of an update of the tables, from 1. */
export interface MigrationStep {
  readonly step: number
  readonly total: number
}

/** The event loop gets a turn after so long, so that the server answers during an update. */
const TURN_MS = 20

/** SQLite answers on the same thread: without pauses nobody else has a turn until the last statement is done. */
export function pausingPlugin(monotonic: () => number = () => performance.now()): KyselyPlugin {
  let since = monotonic()
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (monotonic() - since >= TURN_MS) {
        await turn()
        since = monotonic()
      }
      return result
    },
  }
}

/** The same migrations; `onStep` hears of each that begins. `done`: how many the database has behind it. */
export function countedSteps(
  migrations: Readonly<Record<string, Migration>>,
  done: ReadonlySet<string>,
  onStep: (step: MigrationStep) => void,
): Record<string, Migration> {
  const names = Object.keys(migrations).toSorted()
  return Object.fromEntries(
    names.map((name, at) => [
      name,
      {
        ...migrations[name],
        async up(db: Kysely<never>) {
          if (done.size > 0) onStep({ step: at + 1, total: names.length })
          await migrations[name]?.up(db)
        },
      },
    ]),
  )
}
