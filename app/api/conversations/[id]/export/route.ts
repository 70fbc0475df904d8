import { jsonAttachment } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, params }) => {
  const { title, pieces } = await service.export(owner, param(params, 'id'))
  return jsonAttachment(pieces, `${title || 'chat'}.json`)
})
