import type { SharesResponse } from '@/lib/shared/conversation/readable/readable-chat'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

/** The caller's share links, all or those of `?chat=`. */
export const GET = withOwner({}, async ({ owner, server, service, url }) => {
  const shares = await service.shares(owner, url.searchParams.get('chat') ?? undefined)
  return json({ shares, readers: server.share ?? 'on' } satisfies SharesResponse)
})
