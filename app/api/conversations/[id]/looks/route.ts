import { json } from '../../../respond'
import { newCallLinkSchema } from '../../../call-schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Creates a link to a waiting call, for another device of the same user. */
export const POST = withOwner({ body: newCallLinkSchema }, async ({ owner, service, params, body }) =>
  json(await service.openLook(owner, param(params, 'id'), body)),
)
