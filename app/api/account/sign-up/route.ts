import { signUpBody } from '../schemas'
import { arrived, withAccounts } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** A new account, which takes the browser's chats over. */
export const POST = withAccounts({ body: signUpBody }, async (asked) =>
  arrived(asked, await asked.accounts.signUp(asked.caller, asked.body)),
)
