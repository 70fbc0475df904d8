import { offerRequestSchema } from '../../../call-schemas'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Prompts and resources of an operator server, for users. Not a GET, because it may start a program. */
export const POST = withOwner({ body: offerRequestSchema }, async ({ owner, service, params, body, request }) =>
  json({ offer: await service.offerOfOperator(owner, param(params, 'id'), body, request.signal) }),
)
