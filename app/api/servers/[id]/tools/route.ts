import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** What a server of the operator lists now. No GET: it may start a program. */
export const POST = withOwner({}, async ({ owner, service, params, request }) =>
  json({ listed: await service.listOperatorServer(owner, param(params, 'id'), request.signal) }),
)
