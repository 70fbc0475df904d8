import { z } from 'zod'
import { sharedChatWait } from '@/lib/server/wiring/requests/client-address.server'
import { makeError } from '@/lib/i18n/t'
import { json } from '../../respond'
import { id } from '../../schemas'
import { sharingIsOn } from '../../guards'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** Copies a shared chat to the reader's own chats. */
export const POST = withOwner(
  {
    body: z.object({ id }),
    allow: sharingIsOn,
    admit: ({ owner, service, request }) => service.admitImport(owner, request.signal),
  },
  async ({ owner, service, request, params, body }) => {
    const seconds = sharedChatWait(request)
    if (seconds > 0) throw makeError('rate-limited', 'chat.share.too-fast', { seconds })
    return json({ conversation: await service.copyShared(owner, param(params, 'token'), body.id) })
  },
)
