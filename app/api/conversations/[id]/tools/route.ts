import { toolToRegisterSchema } from '@/lib/conversation/registered-tool-schema'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const PUT = withOwner({ body: toolToRegisterSchema }, async ({ owner, service, params, body }) =>
  json({ tools: await service.registerTool(owner, param(params, 'id'), body) }),
)
