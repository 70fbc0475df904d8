import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params }) =>
  json({ entries: await service.log(owner, param(params, 'id')) }),
)
