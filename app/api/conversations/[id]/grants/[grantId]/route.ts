import { json } from '../../../../respond'
import { endCopySchema } from '../../../../call-schemas'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

export const DELETE = withOwner({}, async ({ owner, service, params }) =>
  json({ grant: await service.revokeGrant(owner, param(params, 'id'), param(params, 'grantId')) }),
)

/** Two long paths for each file that a remembered approval may cover. */
const maxBytes = 2_000_000

/** Ends the chat's work on a copy of its files, or lets a remembered approval keep its changes. */
export const PUT = withOwner({ body: endCopySchema, maxBytes }, async ({ owner, service, params, body }) =>
  json({ grant: await service.endCopy(owner, param(params, 'id'), param(params, 'grantId'), body) }),
)
