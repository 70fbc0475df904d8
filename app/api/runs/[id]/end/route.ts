import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'
import { tabEndSchema, writerKeyOf } from '../../tab-schemas'

export const dynamic = 'force-dynamic'

export const POST = withOwner({ body: tabEndSchema }, async ({ owner, service, params, request, body }) =>
  json(await service.tabEnd(owner, param(params, 'id'), writerKeyOf(request), body)),
)
