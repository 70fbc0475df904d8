import { json } from '../../respond'
import { withAccount } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** All but the one that asks. */
export const DELETE = withAccount({}, async ({ accounts, who }) =>
  json({ ended: await accounts.endOtherSessions(who) }),
)
