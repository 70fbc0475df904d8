import { json } from '../../respond'
import { callLinkAnswerSchema } from '../../call-schemas'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, identity, service, params }) =>
  json(await service.look(owner, param(params, 'token'), identity.signedIn?.account)),
)

export const POST = withOwner({ body: callLinkAnswerSchema }, async ({ owner, identity, service, params, body }) =>
  json(await service.answerLook(owner, param(params, 'token'), body, identity.signedIn?.account)),
)

/** Ends a link for a reviewer. */
export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.endLook(owner, param(params, 'token'))
  return new Response(null, { status: 204 })
})
