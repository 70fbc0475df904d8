import { json } from '../../../../respond'
import { param } from '../../../../with-owner'
import { withAdmin } from '../../../../account/with-accounts'

export const dynamic = 'force-dynamic'

/** Only this response contains the code. */
export const POST = withAdmin({}, async ({ accounts, who, params }) =>
  json(await accounts.inviteToReset(who.account, param(params, 'id'))),
)
