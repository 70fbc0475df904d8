import { mostShareBytes } from '@/lib/shared/conversation/readable/readable-chat'
import { json } from '../../../respond'
import { shareSchema } from '../../../schemas'
import { sharingIsOn } from '../../../guards'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Makes a link to read this chat by. Its secret is in this answer alone. */
export const POST = withOwner(
  {
    body: shareSchema,
    maxBytes: mostShareBytes,
    // Two of an owner could be ten megabytes each: one after the other, as imports.
    allow: sharingIsOn,
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, service, params, body }) => {
    return json(await service.share(owner, param(params, 'id'), body))
  },
)
