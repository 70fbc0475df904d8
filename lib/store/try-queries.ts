import { sql, type Kysely } from 'kysely'
import { HOUSE } from './account-schema'
import type { AccountRows } from './account-rows'
import type { Schema } from './schema'

/** Tries to sign in, counted on all nodes together: one statement a try, so that many at once are counted too. */
export function tryQueries(db: Kysely<Schema>): Pick<AccountRows, 'countTry' | 'forgetTry' | 'forgetTriesBefore'> {
  return {
    async countTry(subject, windowAt, limit) {
      const counted = await db
        .insertInto('sign_in_tries')
        .values({ owner: HOUSE, subject, window_at: windowAt, tries: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['owner', 'subject', 'window_at'])
            .doUpdateSet({ tries: sql<number>`sign_in_tries.tries + 1` })
            .where('sign_in_tries.tries', '<', limit),
        )
        .returning('tries')
        .execute()
      return counted.length > 0
    },

    async forgetTry(subject, windowAt) {
      await db
        .updateTable('sign_in_tries')
        .set({ tries: sql<number>`tries - 1` })
        .where('owner', '=', HOUSE)
        .where('subject', '=', subject)
        .where('window_at', '=', windowAt)
        .where('tries', '>', 0)
        .execute()
    },

    async forgetTriesBefore(windowAt) {
      await db.deleteFrom('sign_in_tries').where('owner', '=', HOUSE).where('window_at', '<', windowAt).execute()
    },
  }
}
