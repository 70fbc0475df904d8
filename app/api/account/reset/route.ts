import { json } from '../../respond'
import { resetBody, withAccounts } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** Sets a new password with a link that an administrator made. */
export const POST = withAccounts({ body: resetBody }, async ({ accounts, caller, body }) => {
  await accounts.resetPassword(caller, body)
  return json({})
})
