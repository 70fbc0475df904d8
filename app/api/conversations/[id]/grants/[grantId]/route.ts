import { json } from '../../../../respond'
import { endCopySchema } from '../../../../schemas'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

export const DELETE = withOwner({}, async ({ owner, service, params }) =>
  json({ grant: await service.revokeGrant(owner, param(params, 'id'), param(params, 'grantId')) }),
)

/** Ends the chat's work on a copy of its files. */
export const PUT = withOwner({ body: endCopySchema }, async ({ owner, service, params, body }) =>
  json({ grant: await service.endCopy(owner, param(params, 'id'), param(params, 'grantId'), body) }),
)
