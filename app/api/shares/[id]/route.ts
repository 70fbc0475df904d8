import { noContent } from '../../respond'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** Revokes a link, even if sharing is disabled by now. */
export const DELETE = withOwner({}, async ({ owner, service, params }) => {
  await service.unshare(owner, param(params, 'id'))
  return noContent()
})
