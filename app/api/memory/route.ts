import { memoryChangeSchema } from '../project-preset-schemas'
import { memoryPlaceIn } from '../read-query'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 256 * 1024

export const GET = withOwner({}, async ({ owner, service, url }) =>
  json({ memory: await service.memory(owner, memoryPlaceIn(url)) }),
)

export const PUT = withOwner({ body: memoryChangeSchema, maxBytes: MAX_BYTES }, async ({ owner, service, url, body }) =>
  json({ memory: await service.changeMemory(owner, memoryPlaceIn(url), body) }),
)
