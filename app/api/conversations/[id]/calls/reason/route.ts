import { json } from '../../../../respond'
import { explainDenialSchema } from '../../../../call-schemas'
import { param, withOwner } from '../../../../with-owner'

export const dynamic = 'force-dynamic'

export const POST = withOwner({ body: explainDenialSchema }, async ({ owner, service, params, body }) =>
  json({ call: await service.explainDenial(owner, param(params, 'id'), body) }),
)
