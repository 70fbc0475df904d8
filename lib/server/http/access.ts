import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/** The shared key of a server without accounts: a visitor who entered it once keeps a cookie. */
export interface Access {
  /** Compares in constant time. */
  isToken(given: string): boolean
  /** Whether the request's `Cookie` header contains the cookie of the current token. */
  isLetIn(cookieHeader: string | null): boolean
  /** The `Set-Cookie` value. Over HTTPS no other host of the domain can set or read it. */
  cookie(options: { readonly secure: boolean }): string
}

const MAX_AGE_SECONDS = 30 * 24 * 60 * 60
const nameOf = (secure: boolean): string => (secure ? `${secureCookiePrefix}nod_access` : 'nod_access')

/** `secret`: the one of the owner cookie. A new token or secret invalidates all earlier cookies. */
export function createAccess(token: string, secret: Uint8Array): Access {
  const proofOf = (text: string) => createHmac('sha256', secret).update(`access ${text}`).digest()
  const proof = proofOf(token)
  const value = proof.toString('base64url')
  return {
    // Compares hashes of equal length, so that the timing reveals neither the length nor a common prefix.
    isToken: (given) => timingSafeEqual(proofOf(given), proof),

    isLetIn: (cookieHeader) =>
      [true, false]
        .flatMap((secure) => readCookies(cookieHeader, nameOf(secure)))
        .some((held) => timingSafeEqual(proofOf(held), proofOf(value))),

    cookie: ({ secure }) => {
      const attributes = `Path=${cookiePath}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
      return `${nameOf(secure)}=${value}; ${attributes}`
    },
  }
}

/** The requested path, which the entry of all pages adds to the request, because layouts do not get it. */
export const pathHeader = 'x-nod-path'

/** Where to continue after the token was entered: one of our paths, never another site. */
export function safePath(wanted: string | null): string {
  if (wanted === null || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return '/'
  const url = new URL(wanted, 'http://here.invalid')
  const path = url.origin === 'http://here.invalid' ? `${url.pathname}${url.search}` : '/'
  return path.startsWith('//') || path.startsWith('/access') || path.startsWith('/api/') ? '/' : path
}

/** True if the visitor's browser uses HTTPS to us or to the proxy in front. */
export function isSecure(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
  return (forwarded ?? new URL(request.url).protocol.replace(':', '')) === 'https'
}

/**
 * Whether a changing request comes from our own pages. Browsers send `Sec-Fetch-Site`, older ones `Origin`; other
 * programs send neither, and have no cookie of a victim.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const host = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? request.headers.get('host')
  return URL.canParse(origin) && new URL(origin).host === (host ?? new URL(request.url).host)
}
