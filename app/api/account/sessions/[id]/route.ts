import { noContent } from '../../../respond'
import { param } from '../../../with-owner'
import { withAccount } from '../../with-accounts'

export const dynamic = 'force-dynamic'

export const DELETE = withAccount({}, async ({ accounts, who, params }) => {
  await accounts.endSession(who.account.id, param(params, 'id'))
  return noContent()
})
