import { noContent } from '../../../respond'
import { param, withOwner } from '../../../with-owner'

export const dynamic = 'force-dynamic'

export const POST = withOwner({}, async ({ owner, service, params }) => {
  await service.stop(owner, param(params, 'id'))
  return noContent()
})
