import { isSecure } from '@/lib/server/http/access'
import { forgottenOwnerCookies } from '../../../guards'
import { withAccounts, withCookies, heldInvitation, invitationCookie } from '../../../account/with-accounts'

export const dynamic = 'force-dynamic'

/** The provider's redirect target. */
export const GET = withAccounts({}, async ({ accounts, caller, request }) => {
  const secure = isSecure(request)
  const invitation = heldInvitation(request.headers.get('cookie'), secure)
  const { response, arrived } = await accounts.finishOidc(caller, request, invitation)
  // The library's response may be frozen.
  const copy = new Response(null, { status: response.status, headers: response.headers })
  copy.headers.set('cache-control', 'no-store')
  return withCookies(copy, [invitationCookie(null, secure), ...(arrived ? forgottenOwnerCookies(secure) : [])])
})
