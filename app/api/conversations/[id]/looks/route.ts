import { json } from '../../../respond'
import { newCallLinkSchema } from '../../../call-schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Creates a link to a waiting call or a copy, for another device of the same user, or for a reviewer. */
export const POST = withOwner({ body: newCallLinkSchema }, async ({ owner, identity, service, params, body }) =>
  json(await service.openLook(owner, param(params, 'id'), body, identity.signedIn?.account)),
)
