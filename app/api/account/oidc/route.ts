import { isSecure } from '@/lib/server/http/access'
import { makeError } from '@/lib/i18n/t'
import { json } from '../../respond'
import { oidcBody, withAccounts, withCookies, invitationCookie } from '../with-accounts'

export const dynamic = 'force-dynamic'

/** The provider's sign-in page: `{ url }`, to which the page navigates. */
export const POST = withAccounts({ body: oidcBody }, async ({ accounts, caller, identity, request, body }) => {
  if (body.link && !identity.signedIn) throw makeError('signed-out', 'accounts.sign-in-needed')
  const next = body.link ? '/account?linked=1' : `/arrived?next=${encodeURIComponent(body.next)}`
  const { url, cookies } = await accounts.startOidc(caller, { ...body, next })
  return withCookies(json({ url }), [...cookies, invitationCookie(body.invitation, isSecure(request))])
})
