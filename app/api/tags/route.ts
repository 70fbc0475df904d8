import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service }) => json({ tags: await service.tags(owner) }))
