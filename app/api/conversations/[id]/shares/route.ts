import { maxShareBytes } from '@/lib/shared/conversation/readable/readable-chat'
import { json } from '../../../respond'
import { shareSchema } from '../../../schemas'
import { sharingIsOn } from '../../../guards'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

/** Creates a link to read this chat. Only this response contains its secret. */
export const POST = withOwner(
  {
    body: shareSchema,
    maxBytes: maxShareBytes,
    // Two from one owner could be 10 MB each, so they run one after the other, like imports.
    allow: sharingIsOn,
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, service, params, body }) => {
    return json(await service.share(owner, param(params, 'id'), body))
  },
)
