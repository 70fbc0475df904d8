import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ service, request }) => json(await service.models(request.signal)))
