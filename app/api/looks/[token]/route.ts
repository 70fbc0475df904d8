import { json } from '../../respond'
import { callLinkAnswerSchema } from '../../call-schemas'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params }) =>
  json(await service.look(owner, param(params, 'token'))),
)

export const POST = withOwner({ body: callLinkAnswerSchema }, async ({ owner, service, params, body }) =>
  json(await service.answerLook(owner, param(params, 'token'), body)),
)
