import { json } from '../../../../respond'
import { param } from '../../../../with-owner'
import { withAdmin } from '../../../../account/with-accounts'

export const dynamic = 'force-dynamic'

export const DELETE = withAdmin({}, async ({ accounts, who, params }) =>
  json({ ended: await accounts.endSessionsOf(who.account, param(params, 'id')) }),
)
