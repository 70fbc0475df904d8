import { forgottenOwnerCookies } from '@/lib/chat/owner'
import { json, noContent } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, visitor }) => json(await service.use(owner, visitor)))

/** All of an owner goes, and with it the cookie: whoever comes next in this browser is somebody new. */
export const DELETE = withOwner({}, async ({ owner, service }) => {
  await service.removeAll(owner)
  const response = noContent()
  for (const cookie of forgottenOwnerCookies) response.headers.append('set-cookie', cookie)
  return response
})
