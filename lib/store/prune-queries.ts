import { sql, type Kysely } from 'kysely'
import type { DatabaseTime } from './database-time'
import type { Schema } from './schema'
import type { Store } from './store'

/** Forgets what nobody needs any more. Which runs are due is asked over all owners; their rows go owner by owner. */
export function pruneQueries(db: Kysely<Schema>, time: DatabaseTime): Pick<Store, 'pruneRunEvents'> {
  return {
    pruneRunEvents: (endedForMs) =>
      db.transaction().execute(async (trx) => {
        const pruned = await trx
          .updateTable('runs')
          .set({ events_pruned: 1 })
          .where('events_pruned', '=', 0)
          // Asked once: PostgreSQL compares with a clock row by row, through the whole table.
          .where('ended_at', '<', sql<number>`(select ${time.now()} - ${endedForMs})`)
          .returning(['owner', 'id'])
          .execute()
        for (const [owner, runs] of Map.groupBy(pruned, (run) => run.owner)) {
          // In pieces: SQLite takes at most 32,766 parameters.
          for (let at = 0; at < runs.length; at += 1000) {
            const ids = runs.slice(at, at + 1000).map(({ id }) => id)
            await trx.deleteFrom('run_events').where('owner', '=', owner).where('run_id', 'in', ids).execute()
          }
        }
      }),
  }
}
