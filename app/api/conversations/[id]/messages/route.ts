import { idsOf } from '../../../read-query'
import { json } from '../../../respond'
import { changeMessagesSchema } from '../../../schemas'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params, url }) =>
  json(await service.messages(owner, param(params, 'id'), idsOf(url))),
)

export const PATCH = withOwner({ body: changeMessagesSchema }, async ({ owner, service, params, body }) =>
  json(await service.setDeleted(owner, param(params, 'id'), body.ids, body.deleted)),
)
