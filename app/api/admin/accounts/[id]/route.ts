import { noContent } from '../../../respond'
import { param } from '../../../with-owner'
import { withAdmin, changeAccountBody } from '../../../account/with-accounts'

export const dynamic = 'force-dynamic'

export const PATCH = withAdmin({ body: changeAccountBody }, async ({ accounts, who, params, body }) => {
  const id = param(params, 'id')
  if ('role' in body) await accounts.setRole(who.account, id, body.role)
  else await accounts.setDisabled(who.account, id, body.disabled)
  return noContent()
})

/** Deletes all stored data of the account too. */
export const DELETE = withAdmin({}, async ({ accounts, who, params }) => {
  await accounts.deleteAccountOf(who.account, param(params, 'id'))
  return noContent()
})
