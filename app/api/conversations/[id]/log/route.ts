import { json } from '../../../respond'
import { afterOf, param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params, url }) =>
  json(await service.logPage(owner, param(params, 'id'), afterOf(url))),
)
