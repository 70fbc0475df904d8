import type { Kysely } from 'kysely'
import { accountQueries } from './account-queries'
import type { AccountRows } from './account-rows'
import { HOUSE } from './account-schema'
import { houseQueries } from './house-queries'
import { lockSubject } from './quota-queries'
import type { Schema } from './schema'
import { sessionQueries } from './session-queries'
import { actsOfAdmins } from './subjects'

/** Acts of administrators: the one way into the audit. */
export const auditedQuery = (db: Kysely<Schema>): Pick<AccountRows, 'audited'> => ({
  audited: (change) =>
    db.transaction().execute(async (trx) => {
      await lockSubject(trx, actsOfAdmins, Number.MAX_SAFE_INTEGER)
      const { findAccount, listAccounts, setRole, setDisabled } = accountQueries(trx)
      const { endSessions } = sessionQueries(trx)
      const { addInvitation, revokeInvitation } = houseQueries(trx)
      const { entry, gives } = await change({
        findAccount,
        listAccounts,
        setRole,
        setDisabled,
        endSessions,
        addInvitation,
        revokeInvitation,
      })
      await trx
        .insertInto('audit')
        .values({ owner: HOUSE, ...entry, detail: JSON.stringify(entry.detail) })
        .execute()
      return gives
    }),
})
