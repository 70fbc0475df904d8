import { json } from '../../../respond'
import { amendCallSchema } from '../../../call-schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Arguments may be the text of a whole file. */
const MAX_BYTES = 4 * 1024 * 1024

export const PUT = withOwner({ body: amendCallSchema, maxBytes: MAX_BYTES }, async ({ owner, service, params, body }) =>
  json({ amendments: await service.amend(owner, param(params, 'id'), body) }),
)
