import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Asks the chat's model for a title. A client that disconnects cancels the request. */
export const POST = withOwner({}, async ({ owner, service, visitor, params, request }) =>
  json(await service.suggestTitle(owner, param(params, 'id'), request.signal, visitor)),
)
