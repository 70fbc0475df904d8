import { shownAddress } from '@/lib/server/accounts/admin-actions'
import { json } from '../respond'
import { deleteBody, left, withAccount } from './with-accounts'

export const dynamic = 'force-dynamic'

/** Who is signed in, the sign-in methods, and the other sessions. */
export const GET = withAccount({}, async ({ accounts, who, server }) => {
  const { account, sessionToken } = who
  const sessions = await accounts.listSessions(account.id)
  return json({
    who: server.mark?.(account.owner) ?? '',
    account: {
      name: account.name,
      email: shownAddress(account.email),
      role: account.role,
      createdAt: account.createdAt,
    },
    offered: accounts.offered,
    signIns: await accounts.signInsOf(account.id),
    byProxy: sessionToken === null,
    sessions: sessions.map(({ token, accountId: _account, ...session }) => ({
      ...session,
      here: token === sessionToken,
    })),
  })
})

/** Deletes all stored data of the account too. */
export const DELETE = withAccount({ body: deleteBody }, async ({ accounts, caller, who, body }) =>
  left(await accounts.deleteOwnAccount(caller, who, body)),
)
