import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/* An invitation waits in the browser while its person is at the provider. */

const MAX_AGE_SECONDS = 10 * 60
const nameOf = (secure: boolean): string => (secure ? `${secureCookiePrefix}nod_invitation` : 'nod_invitation')

export const invitationCookie = (code: string | null, secure: boolean): string =>
  `${nameOf(secure)}=${encodeURIComponent(code ?? '')}; Path=${cookiePath}; Max-Age=${code === null ? 0 : MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export function heldInvitation(cookieHeader: string | null, secure: boolean): string | null {
  const [held = ''] = readCookies(cookieHeader, nameOf(secure))
  // What is no code of ours opens nothing.
  return /^[A-Za-z0-9_-]{1,200}$/.test(held) ? held : null
}
