import { json } from '../../respond'
import { withAdmin, inviteBody } from '../../account/with-accounts'

export const dynamic = 'force-dynamic'

/** Only this response contains the code. */
export const POST = withAdmin({ body: inviteBody }, async ({ accounts, who, body }) =>
  json(await accounts.invite(who.account, body)),
)
