import { cookiePath } from '@/lib/base/base-path'
import {
  SESSION_SECONDS,
  ADDRESS_HEADER,
  nameOfSessionCookie,
  readSessionCookie,
  type SessionCookie,
} from './make-auth'
import type { AccountPorts, Caller } from './account-context'

/** The session that the request carries, if one of our secrets signed it. */
export const sessionOf = ({ headers, secure }: Caller, secrets: AccountPorts['secrets']): SessionCookie | null =>
  readSessionCookie(headers.get('cookie'), nameOfSessionCookie(secure), secrets)

/** What the library may know of a request: its session, what it runs in, and the address that we believe. */
export function libraryHeaders(caller: Caller, session: SessionCookie | null): Headers {
  const headers = new Headers()
  if (session) headers.set('cookie', `${nameOfSessionCookie(caller.secure)}=${session.value}`)
  const agent = caller.headers.get('user-agent')
  if (agent !== null) headers.set('user-agent', agent.slice(0, 400))
  if (caller.address !== null) headers.set(ADDRESS_HEADER, caller.address)
  return headers
}

/** The `Set-Cookie` value of a session as the library would write it. */
export const sessionCookie = (session: SessionCookie, secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=${session.value}; Path=${cookiePath}; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The `Set-Cookie` value that takes it away. */
export const forgottenSessionCookie = (secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
