import { createHmac, timingSafeEqual } from 'node:crypto'
import { secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/*
 * better-auth knows a session by `TOKEN.SIGNATURE`, percent-encoded; the signature is the base64 HMAC-SHA256 of the token. It takes one
 * secret: what an earlier one signed is signed anew here, before it is asked, so that a changed secret signs nobody out.
 */

export const sessionCookieName = 'nod_session'
/** Over HTTPS: no other host of the domain, and no path, can plant one under this name. */
export const secureSessionCookieName = `${secureCookiePrefix}nod_session`

export const nameOfSessionCookie = (secure: boolean): string => (secure ? secureSessionCookieName : sessionCookieName)

/** Whether the request carries anything under that name: who has none is anonymous without a look into the database. */
export const holdsSessionCookie = (cookieHeader: string | null): boolean =>
  [sessionCookieName, secureSessionCookieName].some((name) => readCookies(cookieHeader, name).length > 0)

/** A browser sends one or two; every one that is tried costs a signature. */
const MAX_TRIED = 8

const signatureOf = (token: string, secret: string): Buffer => createHmac('sha256', secret).update(token).digest()

function isSignedBy(token: string, signature: string, secret: string): boolean {
  const given = Buffer.from(signature, 'base64')
  const right = signatureOf(token, secret)
  return given.length === right.length && timingSafeEqual(given, right)
}

const valueOf = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${signatureOf(token, secret).toString('base64')}`)

export interface SessionCookie {
  /** As the library takes it, signed by the secret of now. */
  readonly value: string
  /** An earlier secret signed what came: the browser should get `value`. */
  readonly stale: boolean
}

/** The first that one of the secrets signed, newest first; null for none and for a forged one. */
export function readSessionCookie(
  cookieHeader: string | null,
  name: string,
  secrets: readonly string[],
): SessionCookie | null {
  const [now] = secrets
  if (now === undefined) return null
  for (const raw of readCookies(cookieHeader, name).slice(0, MAX_TRIED)) {
    const [token, signature] = partsOf(raw)
    const by = token === '' ? -1 : secrets.findIndex((secret) => isSignedBy(token, signature, secret))
    if (by >= 0) return { value: valueOf(token, now), stale: by > 0 }
  }
  return null
}

function partsOf(raw: string): readonly [token: string, signature: string] {
  try {
    const text = decodeURIComponent(raw)
    const dot = text.lastIndexOf('.')
    return dot > 0 ? [text.slice(0, dot), text.slice(dot + 1)] : ['', '']
  } catch {
    return ['', '']
  }
}
