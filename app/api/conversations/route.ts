import { nextOf } from '@/lib/shared/conversation/search/list-filter'
import { listPositionIn, queryOf, listFilterIn } from '../read-query'
import { json } from '../respond'
import { createConversationSchema, sortChatsSchema } from '../schemas'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service, url }) => {
  const after = listPositionIn(url)
  const filter = listFilterIn(url)
  const query = queryOf(url)
  const conversations = await service.list(owner, query, after, filter)
  const isOnTop = !after && query === '' && !filter.archived && filter.tag === undefined
  const onTop = isOnTop ? conversations.filter(({ pinned }) => pinned).length : 0
  return json({ conversations, next: nextOf(conversations, onTop) })
})

export const POST = withOwner(
  { body: createConversationSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, body }) => json({ conversation: await service.create(owner, body) }),
)

/** Changes many chats at once: pin, archive, tag, delete, and undo all of these. */
export const PATCH = withOwner({ body: sortChatsSchema }, async ({ owner, service, body }) =>
  json({ changed: await service.sort(owner, body.ids, body.change) }),
)
