import { nextOf } from '@/lib/conversation/list-page'
import { placeIn } from '../read-query'
import { json } from '../respond'
import { createConversationSchema } from '../schemas'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_QUERY_CHARS = 200
const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service, url }) => {
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, MAX_QUERY_CHARS)
  const conversations = await service.list(owner, query, placeIn(url))
  return json({ conversations, next: nextOf(conversations) })
})

export const POST = withOwner(
  { body: createConversationSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, body }) => json({ conversation: await service.create(owner, body) }),
)
