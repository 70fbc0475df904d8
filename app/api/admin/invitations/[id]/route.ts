import { noContent } from '../../../respond'
import { param } from '../../../with-owner'
import { withAdmin } from '../../../account/with-accounts'

export const dynamic = 'force-dynamic'

export const DELETE = withAdmin({}, async ({ accounts, who, params }) => {
  await accounts.revokeInvitation(who.account, param(params, 'id'))
  return noContent()
})
