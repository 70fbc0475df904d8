import { json } from '../../../../respond'
import { decideInnerSchema, finishInnerSchema } from '../../../../call-schemas'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

const MAX_OUTCOME_BYTES = 8 * 1024 * 1024

export const POST = withOwner({ body: decideInnerSchema }, async ({ owner, service, params, body }) =>
  json(await service.decideInner(owner, param(params, 'id'), body)),
)

export const PUT = withOwner(
  { body: finishInnerSchema, maxBytes: MAX_OUTCOME_BYTES },
  async ({ owner, service, params, body }) =>
    json({ call: await service.finishInner(owner, param(params, 'id'), body) }),
)
