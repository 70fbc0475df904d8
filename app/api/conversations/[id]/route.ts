import { temporaryHeader } from '@/lib/shared/conversation/wire/addresses'
import { json, noContent } from '../../respond'
import { patchConversationSchema } from '../../schemas'
import { lastOf } from '../../read-query'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service, params, url }) => {
  const view = await service.view(owner, param(params, 'id'), lastOf(url))
  const response = json(view)
  if (view.conversation.temporary) response.headers.set(temporaryHeader, '1')
  return response
})

export const PATCH = withOwner(
  { body: patchConversationSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ conversation: await service.patch(owner, param(params, 'id'), body) }),
)

export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.remove(owner, param(params, 'id'))
  return noContent()
})
