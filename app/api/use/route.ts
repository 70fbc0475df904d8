import type { AllDeleted } from '@/lib/shared/conversation/wire/api-types'
import { isSecure } from '@/lib/server/http/access'
import { forgottenOwnerCookies } from '../guards'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

export const GET = withOwner({}, async ({ owner, service, visitor }) => json(await service.use(owner, visitor)))

/** Deletes all data of an owner and the cookie, so that the next visitor in this browser is new. */
export const DELETE = withOwner({}, async ({ owner, service, request }) => {
  const response = json({ chats: await service.removeAll(owner) } satisfies AllDeleted)
  for (const cookie of forgottenOwnerCookies(isSecure(request))) response.headers.append('set-cookie', cookie)
  return response
})
