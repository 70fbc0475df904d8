import { z } from 'zod'
import { maxBulkChats } from '@/lib/shared/conversation/search/list-filter'
import { json } from '../../respond'
import { id } from '../../schemas'
import { withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** Which of these chats the caller has. A POST without changes, because an address can't hold so many ids. */
export const POST = withOwner(
  { body: z.object({ ids: z.array(id).min(1).max(maxBulkChats) }) },
  async ({ owner, service, body }) => json({ known: await service.knownChats(owner, body.ids) }),
)
