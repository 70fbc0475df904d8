import { signUpBody, arrived, withAccounts } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** Creates an account, which takes over the browser's chats. */
export const POST = withAccounts({ body: signUpBody }, async (asked) =>
  arrived(asked, await asked.accounts.signUp(asked.caller, asked.body)),
)
