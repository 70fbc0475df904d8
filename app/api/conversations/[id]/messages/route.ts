import { idsOf } from '../../../read-query'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params, url }) =>
  json(await service.messages(owner, param(params, 'id'), idsOf(url))),
)
