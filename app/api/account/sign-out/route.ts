import { signOutBody, left, withAccount } from '../with-accounts'

export const dynamic = 'force-dynamic'

export const POST = withAccount({ body: signOutBody }, async ({ accounts, caller, who, body }) =>
  left(await accounts.signOut(caller, who, body.everywhere)),
)
