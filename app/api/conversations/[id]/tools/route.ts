import { toolToRegisterSchema } from '@/lib/shared/conversation/settings/settings-schemas'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const PUT = withOwner({ body: toolToRegisterSchema }, async ({ owner, service, params, body }) =>
  json({ tools: await service.registerTool(owner, param(params, 'id'), body) }),
)

/** `?name=NAME`. A missing tool is not an error, so that the request can be repeated. */
export const DELETE = withOwner({}, async ({ owner, service, params, request }) => {
  const name = new URL(request.url).searchParams.get('name') ?? ''
  return json({ tools: await service.removeTool(owner, param(params, 'id'), name) })
})
