import { signInBody, arrived, withAccounts } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** The browser's chats move to the account. */
export const POST = withAccounts({ body: signInBody }, async (asked) =>
  arrived(asked, await asked.accounts.signIn(asked.caller, asked.body)),
)
