import { type Kysely, sql, type Selectable } from 'kysely'
import type { AccountRows, SessionRow, AccountRow } from '@/lib/shared/server-facts/account-rows'
import { SYSTEM_OWNER, type AuthUserTable } from '../ports/account-schema'
import { claimOwner, giveOwnerBack } from './owner-move-queries'
import type { Schema } from '../ports/schema'

/** How many ids one query names: SQLite accepts at most 32,766 parameters. */
const AT_ONCE = 1_000

const dateMs = (value: Date | string): number => new Date(value).getTime()

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
        createdAt: dateMs(row.createdAt),
        lastSeenAt: dateMs(row.updatedAt),
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

type AccountQueries = Pick<
  AccountRows,
  | 'findAccount'
  | 'findAccountByEmail'
  | 'findAccountBySignIn'
  | 'addAccount'
  | 'listAccounts'
  | 'setRole'
  | 'setDisabled'
  | 'signInsOf'
  | 'deleteAccount'
>

const accountFromRow = (row: Selectable<AuthUserTable>): AccountRow => ({
  id: row.id,
  name: row.name,
  email: row.email,
  emailProven: Boolean(row.emailVerified),
  owner: row.owner,
  role: row.role,
  createdAt: dateMs(row.createdAt),
  disabledAt: row.disabledAt,
})

/** Accounts; better-auth writes their rows. */
export function accountQueries(db: Kysely<Schema>): AccountQueries {
  const changed = (rows: readonly { readonly numUpdatedRows: bigint }[]) => rows.some((one) => one.numUpdatedRows > 0n)
  return {
    async findAccount(id) {
      const row = await db.selectFrom('auth_user').selectAll().where('id', '=', id).executeTakeFirst()
      return row ? accountFromRow(row) : null
    },

    async findAccountByEmail(email) {
      const row = await db.selectFrom('auth_user').selectAll().where('email', '=', email).executeTakeFirst()
      return row ? accountFromRow(row) : null
    },

    async findAccountBySignIn(providerId, accountId) {
      const row = await db
        .selectFrom('auth_user')
        .innerJoin('auth_account', 'auth_account.userId', 'auth_user.id')
        .selectAll('auth_user')
        .where('auth_account.providerId', '=', providerId)
        .where('auth_account.accountId', '=', accountId)
        .executeTakeFirst()
      return row ? accountFromRow(row) : null
    },

    addAccount: (account, { id, providerId, accountId }) =>
      db.transaction().execute(async (trx) => {
        const moment = new Date(account.createdAt).toISOString()
        const times = { createdAt: moment, updatedAt: moment }
        const { name, email, owner, role, disabledAt, emailProven } = account
        if (!(await claimOwner(trx, owner, account.createdAt))) return false
        const made = await trx
          .insertInto('auth_user')
          .values({
            id: account.id,
            name,
            email,
            emailVerified: emailProven,
            image: null,
            ...times,
            owner,
            role,
            disabledAt,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (!made) {
          await giveOwnerBack(trx, owner)
          return false
        }
        const signsIn = await trx
          .insertInto('auth_account')
          .values({ id, providerId, accountId, userId: account.id, password: null, ...times })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (signsIn) return true
        // Another request created an account for the same sign-in, with another address.
        await trx.deleteFrom('auth_user').where('id', '=', account.id).execute()
        await giveOwnerBack(trx, owner)
        return false
      }),

    async listAccounts(query, { limit, after }) {
      const wanted = `%${query
        .trim()
        .toLowerCase()
        .replaceAll(/[\\%_]/g, '\\$&')}%`
      const matching = db
        .selectFrom('auth_user')
        .where(sql<boolean>`(lower(email) like ${wanted} escape '\\' or lower(name) like ${wanted} escape '\\')`)
      const rows = await matching
        .selectAll()
        .$if(after !== undefined, (some) => some.where('email', '>', after ?? ''))
        .orderBy('email')
        .limit(limit + 1)
        .execute()
      const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const accounts = rows.slice(0, limit).map(accountFromRow)
      return { accounts, total, next: rows.length > limit ? (accounts.at(-1)?.email ?? null) : null }
    },

    setRole: async (id, role) =>
      changed(await db.updateTable('auth_user').set({ role }).where('id', '=', id).execute()),
    setDisabled: async (id, disabledAt) =>
      changed(await db.updateTable('auth_user').set({ disabledAt }).where('id', '=', id).execute()),

    async signInsOf(id) {
      const rows = await db.selectFrom('auth_account').select('providerId').where('userId', '=', id).execute()
      return [...new Set(rows.map((row) => row.providerId))].toSorted()
    },

    deleteAccount: (id, now) =>
      db.transaction().execute(async (trx) => {
        const [gone] = await trx.deleteFrom('auth_user').where('id', '=', id).returning(['owner', 'email']).execute()
        if (!gone) return false
        await trx
          .insertInto('owner_moves')
          .values({ owner: gone.owner, to_owner: '', at: now, settled: 1 })
          .onConflict((conflict) => conflict.column('owner').doUpdateSet({ to_owner: '', settled: 1 }))
          .execute()
        // Nothing moves to a deleted account; the origin stays known for data that must be deleted with it.
        await trx.updateTable('owner_moves').set({ settled: 1 }).where('to_owner', '=', gone.owner).execute()
        // Deletes its address and the links that could take it over.
        await trx
          .deleteFrom('invitations')
          .where('owner', '=', SYSTEM_OWNER)
          .where((row) =>
            row.or([
              row('account_id', '=', id),
              row('email', '=', gone.email),
              // And its unused invitations.
              row.and([row('made_by', '=', id), row('used_at', 'is', null)]),
            ]),
          )
          .execute()
        return true
      }),
  }
}
