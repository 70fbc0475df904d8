import type { ToolServersResponse } from '@/lib/shared/conversation/wire/api-types'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service }) =>
  json({
    servers: await service.toolServers(owner),
    operator: service.operatorServers(),
  } satisfies ToolServersResponse),
)
