import { json, noContent } from '../../respond'
import { patchConversationSchema } from '../../schemas'
import { lastOf } from '../../read-query'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

const MAX_BYTES = 512 * 1024

export const GET = withOwner({}, async ({ owner, service, params, url }) =>
  json(await service.view(owner, param(params, 'id'), lastOf(url))),
)

export const PATCH = withOwner(
  { body: patchConversationSchema, maxBytes: MAX_BYTES },
  async ({ owner, service, params, body }) =>
    json({ conversation: await service.patch(owner, param(params, 'id'), body) }),
)

export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.remove(owner, param(params, 'id'))
  return noContent()
})
