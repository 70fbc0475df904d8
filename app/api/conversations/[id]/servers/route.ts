import { serversToUseSchema } from '../../../schemas'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Moves a chat to what is approved now of these servers. Grants for tools that changed end. */
export const PUT = withOwner({ body: serversToUseSchema }, async ({ owner, service, params, body }) =>
  json(await service.useToolServers(owner, param(params, 'id'), body.servers)),
)
