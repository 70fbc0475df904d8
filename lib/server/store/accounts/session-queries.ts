import type { Kysely } from 'kysely'
import type { AccountRows, SessionRow } from '@/lib/shared/server-facts/account-rows'
import type { Schema } from '../ports/schema'

/** How many ids one query names: SQLite accepts at most 32,766 parameters. */
const AT_ONCE = 1_000

const at = (value: Date | string): number => new Date(value).getTime()

/** Sessions; better-auth writes their rows. */
export function sessionQueries(db: Kysely<Schema>): Pick<AccountRows, 'listSessions' | 'standing' | 'endSessions'> {
  return {
    async listSessions(accountId, now) {
      const rows = await db
        .selectFrom('auth_session')
        .selectAll()
        .where('userId', '=', accountId)
        .where('expiresAt', '>', new Date(now).toISOString())
        .orderBy('updatedAt', 'desc')
        .execute()
      return rows.map((row): SessionRow => ({
        id: row.id,
        token: row.token,
        accountId: row.userId,
        createdAt: at(row.createdAt),
        lastSeenAt: at(row.updatedAt),
        address: row.ipAddress === '' ? null : row.ipAddress,
        userAgent: row.userAgent === '' ? null : row.userAgent,
      }))
    },

    async standing({ tokens, accounts }) {
      const there = { tokens: new Set<string>(), accounts: new Set<string>() }
      for (let from = 0; from < tokens.length; from += AT_ONCE) {
        const rows = await db
          .selectFrom('auth_session')
          .innerJoin('auth_user', 'auth_user.id', 'auth_session.userId')
          .select('auth_session.token')
          .where('auth_session.token', 'in', tokens.slice(from, from + AT_ONCE))
          .where('auth_user.disabledAt', 'is', null)
          .execute()
        for (const { token } of rows) there.tokens.add(token)
      }
      for (let from = 0; from < accounts.length; from += AT_ONCE) {
        const rows = await db
          .selectFrom('auth_user')
          .select('id')
          .where('id', 'in', accounts.slice(from, from + AT_ONCE))
          .where('disabledAt', 'is', null)
          .execute()
        for (const { id } of rows) there.accounts.add(id)
      }
      return there
    },

    async endSessions(accountId, { id, but }) {
      const rows = await db
        .deleteFrom('auth_session')
        .where('userId', '=', accountId)
        .$if(id !== undefined, (some) => some.where('id', '=', id ?? ''))
        .$if(but !== undefined, (some) => some.where('token', '!=', but ?? ''))
        .returning('id')
        .execute()
      return rows.length
    },
  }
}
