import { json } from '../respond'
import { listFilterIn, queryOf } from '../read-query'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, url }) =>
  json(
    await service.search(owner, queryOf(url), url.searchParams.get('after') ?? undefined, listFilterIn(url).project),
  ),
)
