import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'
import { writerKeyOf } from '../../writer-key'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params, request }) =>
  json(await service.tabPrompt(owner, param(params, 'id'), writerKeyOf(request))),
)
