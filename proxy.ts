import { NextResponse, type NextRequest } from 'next/server'
import { contentSecurityPolicy } from '@/lib/http/content-security-policy'
import { isSecure } from '@/lib/http/origin'
import { serverOwners } from '@/lib/wiring/owners.server'

/**
 * Every page gets a policy with a fresh nonce (Next stamps it on its own scripts when it finds it on the request), and
 * a visitor without one the owner cookie: before any script asks the API, so that parallel first requests agree on who
 * is asking.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const nonce = btoa(crypto.randomUUID())
  const policy = contentSecurityPolicy({ nonce, dev: process.env.NODE_ENV === 'development' })
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  const cookie = await ownerCookie(request)
  if (cookie !== null) response.headers.append('set-cookie', cookie)
  return response
}

async function ownerCookie(request: NextRequest): Promise<string | null> {
  const owners = serverOwners()
  // Without a secret the API says what is missing; the page itself should come up.
  if (!owners.ok) return null
  const known = await owners.value.read(request.headers.get('cookie'))
  if (known && !known.stale) return null
  return owners.value.cookie(known?.owner ?? owners.value.create(), { secure: isSecure(request) })
}

export const config = {
  matcher: [
    {
      source:
        '/((?!api/|_next/static|_next/image|workers/|sandbox-libs/|sandbox\\.html$|show\\.html$|favicon\\.ico$|icon\\.svg$|robots\\.txt$).*)',
      missing: [
        { type: 'header', key: 'next-router-prefetch' },
        { type: 'header', key: 'purpose', value: 'prefetch' },
      ],
    },
  ],
}
