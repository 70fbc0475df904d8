import { serversToUseSchema } from '../../../schemas'
import { json } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Updates a chat to what is now approved of these servers. Remembered approvals of changed tools end. */
export const PUT = withOwner({ body: serversToUseSchema }, async ({ owner, service, params, body }) =>
  json(await service.useToolServers(owner, param(params, 'id'), body.servers)),
)
