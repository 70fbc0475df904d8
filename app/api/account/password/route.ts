import { json } from '../../respond'
import { passwordBody, withAccount, withCookies } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** Ends all other sessions, too. */
export const POST = withAccount({ body: passwordBody }, async ({ accounts, caller, who, body }) =>
  withCookies(json({}), await accounts.changePassword(caller, who, body)),
)
