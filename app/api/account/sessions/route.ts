import { json } from '../../respond'
import { withAccount } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** Ends all sessions except the current one. */
export const DELETE = withAccount({}, async ({ accounts, who }) =>
  json({ ended: await accounts.endOtherSessions(who) }),
)
