import type { Kysely } from 'kysely'
import type { AccountRows, SessionRow } from './account-rows'
import type { Schema } from './schema'

const at = (value: Date | string): number => new Date(value).getTime()

/** Sessions, whose rows better-auth writes. */
export function sessionQueries(db: Kysely<Schema>): Pick<AccountRows, 'listSessions' | 'endSessions'> {
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
