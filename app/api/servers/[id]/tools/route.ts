import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** The current tools of an operator server. Not a GET, because it may start a program. */
export const POST = withOwner({}, async ({ owner, service, params, request }) =>
  json({ listed: await service.listOperatorServer(owner, param(params, 'id'), request.signal) }),
)
