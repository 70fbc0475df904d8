import { mostShareBytes } from '@/lib/conversation/share'
import { chatError } from '@/lib/words/chat'
import { json } from '../../../respond'
import { shareSchema } from '../../../share-schema'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Makes a link to read this chat by. Its secret stands in this answer alone. */
export const POST = withOwner(
  {
    body: shareSchema,
    maxBytes: mostShareBytes,
    // Two of an owner could be ten megabytes each: one after the other, as imports.
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, server, service, params, body }) => {
    if (server.share === 'off') throw chatError('forbidden', 'chat.share.off')
    return json(await service.share(owner, param(params, 'id'), body))
  },
)
