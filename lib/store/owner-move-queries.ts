import type { Kysely, Transaction } from 'kysely'
import type { AccountRows } from './account-rows'
import { lockConversation } from './lock-conversation'
import { movePresets } from './preset-queries'
import type { Schema } from './schema'
import { readWordsAnew } from './words-due'

type OwnerMoveQueries = Pick<AccountRows, 'isOwnerTaken' | 'noteMove' | 'moveChats'>

/** A tab that was open at the sign-in may still have begun a chat under the owner of before. */
const SETTLED_AFTER_MS = 10 * 60_000

/** Anonymous owners that became an account's, or whose chats go to one. */
export function ownerMoveQueries(db: Kysely<Schema>): OwnerMoveQueries {
  const chatsOf = async (owner: string): Promise<readonly string[]> => {
    const rows = await db.selectFrom('conversations').select('id').where('owner', '=', owner).execute()
    return rows.map((row) => row.id)
  }
  return {
    async isOwnerTaken(owner) {
      const moved = await db.selectFrom('owner_moves').select('owner').where('owner', '=', owner).executeTakeFirst()
      if (moved) return true
      const taken = await db.selectFrom('auth_user').select('id').where('owner', '=', owner).executeTakeFirst()
      return taken !== undefined
    },

    async noteMove(owner, toOwner, now) {
      await db
        .insertInto('owner_moves')
        .values({ owner, to_owner: toOwner, at: now, settled: 0 })
        .onConflict((conflict) => conflict.column('owner').doNothing())
        .execute()
    },

    async moveChats(now, onlyFrom) {
      const moves = await db
        .selectFrom('owner_moves')
        .selectAll()
        .where('settled', '=', 0)
        .$if(onlyFrom !== undefined, (some) => some.where('owner', '=', onlyFrom ?? ''))
        .execute()
      let moved = 0
      let waiting = 0
      for (const { owner, to_owner: to, at } of moves) {
        await db.transaction().execute((trx) => movePresets(trx, owner, to))
        const ids = await chatsOf(owner)
        for (const id of ids) {
          if (await db.transaction().execute((trx) => moveChat(trx, owner, to, id))) moved += 1
          else waiting += 1
        }
        if (ids.length > 0 || now - at < SETTLED_AFTER_MS) continue
        await db.updateTable('owner_moves').set({ settled: 1 }).where('owner', '=', owner).execute()
      }
      return { moved, waiting }
    },
  }
}

/** False: its reply is being written, or the account has a chat of that id. All that hangs on a chat follows by its key. */
async function moveChat(trx: Transaction<Schema>, owner: string, to: string, id: string): Promise<boolean> {
  if (!(await lockConversation(trx, owner, id))) return true
  const running = await trx
    .selectFrom('runs')
    .select('id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (running) return false
  const there = await trx
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', to)
    .where('id', '=', id)
    .executeTakeFirst()
  if (there) return false
  await readWordsAnew(trx, owner, id)
  await trx.updateTable('conversations').set({ owner: to }).where('owner', '=', owner).where('id', '=', id).execute()
  return true
}
