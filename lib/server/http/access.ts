import { createHmac, timingSafeEqual } from 'node:crypto'
import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/** The one shared key of a server without accounts: who says it once holds a cookie from then on. */
export interface Access {
  /** Compares in constant time. */
  isToken(said: string): boolean
  /** The request's `Cookie` header holds the cookie of this very token. */
  isLetIn(cookieHeader: string | null): boolean
  /** The `Set-Cookie` value. Over HTTPS no other host of the domain can set or see it. */
  cookie(options: { readonly secure: boolean }): string
}

const MAX_AGE_SECONDS = 30 * 24 * 60 * 60
const nameOf = (secure: boolean): string => (secure ? `${secureCookiePrefix}nod_access` : 'nod_access')

/** `secret` as for the owner cookie; another token, or another secret, lets no one in who was let in before. */
export function createAccess(token: string, secret: Uint8Array): Access {
  const proofOf = (text: string) => createHmac('sha256', secret).update(`access ${text}`).digest()
  const proof = proofOf(token)
  const value = proof.toString('base64url')
  return {
    // Hashes of equal length: neither the length nor a common beginning shows in the time.
    isToken: (said) => timingSafeEqual(proofOf(said), proof),

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

/** The path that was asked for, as the entry of all pages writes it on the request: a layout is not told. */
export const pathHeader = 'x-nod-path'

/** Where to go on after the token was said: a path of ours, never another site. */
export function safePath(wanted: string | null): string {
  if (wanted === null || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return '/'
  const url = new URL(wanted, 'http://here.invalid')
  const path = url.origin === 'http://here.invalid' ? `${url.pathname}${url.search}` : '/'
  return path.startsWith('//') || path.startsWith('/access') || path.startsWith('/api/') ? '/' : path
}

/** True when the visitor's browser speaks HTTPS with us or with the proxy in front. */
export function isSecure(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
  return (forwarded ?? new URL(request.url).protocol.replace(':', '')) === 'https'
}

/**
 * Whether a changing request comes from our own pages. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`;
 * programs that are no browser send neither and hold no cookie of a victim.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = request.headers.get('origin')
  if (origin === null) return true
  const host = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? request.headers.get('host')
  return URL.canParse(origin) && new URL(origin).host === (host ?? new URL(request.url).host)
}
