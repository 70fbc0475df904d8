import { NextResponse, type NextRequest } from 'next/server'
import { holdsSessionCookie } from '@/lib/server/accounts/make-auth'
import { t } from '@/lib/i18n/t'
import { forgottenOwnerCookie, holdsOldOwnerCookie } from '@/lib/server/quota/owner'
import { insteadHeader } from '@/lib/shared/conversation/wire/addresses'
import { pathHeader, isSecure } from '@/lib/server/http/access'
import { isHostAllowed, readBind } from '@/lib/server/http/bind'
import { isSharedPath, sharedHeaders, contentSecurityPolicy } from '@/lib/server/http/response-headers'
import { closeWhileDraining } from '@/lib/server/wiring/process/draining.server'
import { newVisitorWait } from '@/lib/server/wiring/requests/page-identity.server'
import { serverAccess, serverOwners } from '@/lib/server/wiring/requests/owners.server'
import { sharedChatWait } from '@/lib/server/wiring/requests/client-address.server'
import { serverSettings } from '@/lib/server/wiring/settings.server'

/**
 * Gives every page a policy with a new nonce; Next adds the nonce of the request to its own scripts. A visitor without
 * an owner cookie gets one before any script requests the API, so that parallel first requests have the same owner. A
 * visitor without access gets the page that asks for the token, whichever page was requested.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const settings = serverSettings()
  if (!settings.ok) return refusal(settings.error.message, 503)
  if (!isHostAllowed(request, readBind(settings.value))) return refusal(t('server.wrong-host'), 421)
  const access = serverAccess()
  if (!access.ok) return refusal(access.error.message, 503)
  const isShared = isSharedPath(request.nextUrl.pathname)
  const seconds = isShared ? sharedChatWait(request) : 0
  if (seconds > 0) {
    return refusal(t('chat.share.too-fast', { seconds }), 429, { 'retry-after': String(seconds) })
  }
  const isIn =
    access.value === null ||
    access.value.isLetIn(request.headers.get('cookie')) ||
    (isShared && settings.value.NOD_SHARE === 'public')
  const asksToken = request.nextUrl.pathname === '/access'

  // A visitor who must enter the token first gets a form instead of the shared chat.
  const readsShared = isShared && isIn
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy({ nonce, dev: process.env.NODE_ENV === 'development', isShared: readsShared })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set(pathHeader, request.nextUrl.pathname)
  const forwarded = { request: { headers } }
  const response =
    isIn || asksToken ? NextResponse.next(forwarded) : NextResponse.rewrite(accessPage(request), forwarded)
  response.headers.set('content-security-policy', policy)
  // Readers of a shared chat get no owner cookie.
  if (readsShared) for (const { key, value } of sharedHeaders) response.headers.set(key, value)
  else if (isIn) for (const cookie of await ownerCookies(request)) response.headers.append('set-cookie', cookie)
  else {
    response.headers.set('cache-control', 'no-store')
    response.headers.set(insteadHeader, 'access')
  }
  return closeWhileDraining(response)
}

/** Based on the request's own address: Next would fetch any other address as one of another server. */
function accessPage({ nextUrl }: NextRequest): URL {
  const url = nextUrl.clone()
  url.pathname = '/access'
  url.search = ''
  url.searchParams.set('next', `${nextUrl.pathname}${nextUrl.search}`)
  return url
}

async function ownerCookies(request: NextRequest): Promise<readonly string[]> {
  const owners = serverOwners()
  // Without a secret, the API reports what is missing; the page itself is still shown.
  if (!owners.ok) return []
  const secure = isSecure(request)
  const header = request.headers.get('cookie')
  // An account's chats do not depend on this cookie.
  if (holdsSessionCookie(header)) return []
  const known = await owners.value.read(header, { secure })
  if (known && !known.stale) return []
  // Too many new visitors: the page is shown, and its requests are told how long to wait.
  if (!known && newVisitorWait(request) > 0) return []
  const cookie = owners.value.cookie(known?.owner ?? owners.value.create(), { secure })
  return holdsOldOwnerCookie(header, { secure }) ? [cookie, forgottenOwnerCookie] : [cookie]
}

const refusal = (message: string, status: number, headers: Readonly<Record<string, string>> = {}): NextResponse =>
  closeWhileDraining(
    new NextResponse(`${message}\n`, {
      status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        ...headers,
      },
    }),
  )

export const config = {
  matcher: [
    // With a base path, the pattern below does not match the path without its trailing slash.
    '/',
    '/((?!api/|_next/static|_next/image|workers/|skills/|sandbox-libs/|drawing/|sandbox\\.html$|show\\.html$|run\\.html$|diagram\\.html$|wllama\\.html$|signed-in\\.html$|oauth/client\\.json$|favicon\\.ico$|icon\\.svg$|icons/|manifest$|sw\\.js$|sw-off\\.js$|robots\\.txt$).*)',
  ],
}
