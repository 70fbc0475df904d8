import { json } from '../../../respond'
import { decideCallSchema, finishCallSchema, releaseResultSchema } from '../../../call-schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** An outcome includes console lines and pictures. */
const MAX_OUTCOME_BYTES = 8 * 1024 * 1024

export const POST = withOwner({ body: decideCallSchema }, async ({ owner, service, params, body }) =>
  json(await service.decide(owner, param(params, 'id'), body)),
)

export const PUT = withOwner(
  { body: finishCallSchema, maxBytes: MAX_OUTCOME_BYTES },
  async ({ owner, service, params, body }) => json({ call: await service.finish(owner, param(params, 'id'), body) }),
)

export const PATCH = withOwner(
  { body: releaseResultSchema, maxBytes: MAX_OUTCOME_BYTES },
  async ({ owner, service, params, body }) => json({ call: await service.release(owner, param(params, 'id'), body) }),
)
