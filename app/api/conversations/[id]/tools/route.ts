import { toolToRegisterSchema } from '@/lib/shared/conversation/settings/registered-tool-schema'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const PUT = withOwner({ body: toolToRegisterSchema }, async ({ owner, service, params, body }) =>
  json({ tools: await service.registerTool(owner, param(params, 'id'), body) }),
)

/** `?name=NAME`; a tool that is not there is no error, so that the same request may be sent twice. */
export const DELETE = withOwner({}, async ({ owner, service, params, request }) => {
  const name = new URL(request.url).searchParams.get('name') ?? ''
  return json({ tools: await service.removeTool(owner, param(params, 'id'), name) })
})
