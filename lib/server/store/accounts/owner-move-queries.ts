import { msBefore, msSince } from '@/lib/base/clocks'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { AccountRows } from '@/lib/shared/server-facts/account-rows'
import { lockConversation } from '../database/lock-conversation'
import { moveToolServers } from '../sharing/tool-server-queries'
import { moveProjects } from '../sharing/project-queries'
import { movePresets } from '../sharing/preset-queries'
import type { Schema } from '../ports/schema'
import { refreshSearchQueue } from '../search/search-queries'

type OwnerMoveQueries = Pick<AccountRows, 'isOwnerTaken' | 'claimOwner' | 'giveOwnerBack' | 'recordMove' | 'moveChats'>

/** A tab that was open at the sign-in may still have started a chat under the former owner. */
const SETTLED_AFTER_MS = 10 * 60_000
/** A claim without an account by then was left by a process that died. */
const CLAIM_MS = 60_000

const accountOf = (db: Kysely<Schema>, owner: string) =>
  db.selectFrom('auth_user').select('id').where('owner', '=', owner).executeTakeFirst()

/**
 * The first writer of an owner's row decides: an owner that points to itself is claimed for a new account; otherwise it
 * names the account that gets the chats.
 */
const point = (db: Kysely<Schema>, owner: string, to: string, now: number) =>
  db
    .insertInto('owner_moves')
    .values({ owner, to_owner: to, at: now, settled: owner === to ? 1 : 0 })
    .onConflict((conflict) =>
      conflict
        .column('owner')
        .doUpdateSet((eb) => ({
          to_owner: eb.ref('excluded.to_owner'),
          at: eb.ref('excluded.at'),
          settled: eb.ref('excluded.settled'),
        }))
        .where(sql<boolean>`owner_moves.to_owner = owner_moves.owner and owner_moves.at < ${msBefore(now, CLAIM_MS)}`),
    )
    .returning('owner')
    .executeTakeFirst()

/** Runs within the caller's transaction if there is one. */
export async function claimOwner(db: Kysely<Schema>, owner: string, now: number): Promise<boolean> {
  if (await accountOf(db, owner)) return false
  return (await point(db, owner, owner, now)) !== undefined
}

export async function giveOwnerBack(db: Kysely<Schema>, owner: string): Promise<void> {
  await db
    .deleteFrom('owner_moves')
    .where('owner', '=', owner)
    .where('to_owner', '=', owner)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('auth_user').select('id').where('auth_user.owner', '=', owner))))
    .execute()
}

/** Anonymous owners that became an account's, or whose chats move to one. */
export function ownerMoveQueries(db: Kysely<Schema>): OwnerMoveQueries {
  const chatsOf = async (owner: string): Promise<readonly string[]> => {
    const rows = await db.selectFrom('conversations').select('id').where('owner', '=', owner).execute()
    return rows.map((row) => row.id)
  }
  return {
    async isOwnerTaken(owner) {
      const moved = await db.selectFrom('owner_moves').select('to_owner').where('owner', '=', owner).executeTakeFirst()
      if (moved && moved.to_owner !== owner) return true
      // A claimed owner still belongs to the browser until the account exists.
      return (await accountOf(db, owner)) !== undefined
    },

    claimOwner: (owner, now) => claimOwner(db, owner, now),
    giveOwnerBack: (owner) => giveOwnerBack(db, owner),

    async recordMove(owner, toOwner, now) {
      if (owner === toOwner || (await accountOf(db, owner))) return
      await point(db, owner, toOwner, now)
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
        await db.transaction().execute((trx) => moveProjects(trx, owner, to))
        await db.transaction().execute((trx) => moveToolServers(trx, owner, to))
        const ids = await chatsOf(owner)
        for (const id of ids) {
          const became = await db.transaction().execute((trx) => moveChat(trx, owner, to, id))
          if (became === 'moved') moved += 1
          if (became === 'waits') waiting += 1
        }
        if (ids.length > 0 || msSince(at, now) < SETTLED_AFTER_MS) continue
        await db.updateTable('owner_moves').set({ settled: 1 }).where('owner', '=', owner).execute()
      }
      return { moved, waiting }
    },
  }
}

/**
 * `waits`: a reply is running, or the account has a chat with that id. `gone`: deleted, or moved by another request.
 * All rows of a chat follow by its key.
 */
async function moveChat(
  trx: Transaction<Schema>,
  owner: string,
  to: string,
  id: string,
): Promise<'moved' | 'waits' | 'gone'> {
  if (!(await lockConversation(trx, owner, id))) return 'gone'
  const running = await trx
    .selectFrom('runs')
    .select('id')
    .where('owner', '=', owner)
    .where('conversation_id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (running) return 'waits'
  const there = await trx
    .selectFrom('conversations')
    .select('id')
    .where('owner', '=', to)
    .where('id', '=', id)
    .executeTakeFirst()
  if (there) return 'waits'
  await refreshSearchQueue(trx, owner, id)
  await trx.updateTable('conversations').set({ owner: to }).where('owner', '=', owner).where('id', '=', id).execute()
  return 'moved'
}
