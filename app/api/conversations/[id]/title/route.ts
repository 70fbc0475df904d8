import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** A name for the chat by its model. Anyone who goes away takes the question back. */
export const POST = withOwner({}, async ({ owner, service, visitor, params, request }) =>
  json(await service.suggestTitle(owner, param(params, 'id'), request.signal, visitor)),
)
