import { newChatsSchema } from '../project-preset-schemas'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

/** The defaults of new chats, which the client reads with the models (`/api/models`). */
export const PUT = withOwner({ body: newChatsSchema, maxBytes: MAX_BYTES }, async ({ owner, service, body }) => {
  await service.setNewChats(owner, body.setup)
  return json({ setup: body.setup })
})
