import { json } from '../../../../respond'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

export const DELETE = withOwner({}, async ({ owner, service, params }) =>
  json({ grant: await service.revokeGrant(owner, param(params, 'id'), param(params, 'grantId')) }),
)
