import { json } from '../../../respond'
import { giveGrantSchema } from '../../../call-schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const POST = withOwner({ body: giveGrantSchema }, async ({ owner, service, params, body }) =>
  json({ grant: await service.giveGrant(owner, param(params, 'id'), body) }),
)
