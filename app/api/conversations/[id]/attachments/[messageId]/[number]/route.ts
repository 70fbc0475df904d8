import { makeError } from '@/lib/i18n/t'
import { imageResponse } from '../../../../../respond'
import { param, withOwner } from '../../../../../with-owner'

export const dynamic = 'force-dynamic'

/** The picture of an attachment, for a browser that does not have the file itself. */
export const GET = withOwner({}, async ({ owner, service, params }) => {
  const number = param(params, 'number')
  if (!/^\d{1,3}$/.test(number)) throw makeError('not-found', 'server.no-picture')
  const messageId = param(params, 'messageId')
  return imageResponse(await service.image(owner, param(params, 'id'), { messageId, number: Number(number) }))
})
