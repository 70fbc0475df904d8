import { jwtVerify, SignJWT } from 'jose'

/*
 * Whose chats these are: an anonymous id in a signed cookie that scripts cannot read. There is nothing to revoke and
 * nothing to look up; who holds the cookie is the owner.
 */

export const ownerCookieName = 'nod_owner'

/** Browsers cap cookies at 400 days; each visit after `RENEW_AFTER_DAYS` moves the end on. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60
const RENEW_AFTER_SECONDS = 30 * 24 * 60 * 60
const AUDIENCE = 'nod:owner'

export interface OwnerPorts {
  /** At least 32 bytes; the same on all nodes. */
  readonly secret: Uint8Array
  readonly newId: () => string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface KnownOwner {
  readonly owner: string
  /** The cookie is old enough to be sent again. */
  readonly stale: boolean
}

export interface Owners {
  /** Who the request's `Cookie` header names; null for none, a forged or a foreign one. */
  read(cookieHeader: string | null): Promise<KnownOwner | null>
  create(): string
  /** The `Set-Cookie` value for an owner. */
  cookie(owner: string, options: { readonly secure: boolean }): Promise<string>
}

export function createOwners({ secret, newId, now }: OwnerPorts): Owners {
  const seconds = () => Math.floor(now() / 1000)
  return {
    async read(cookieHeader) {
      const token = readCookie(cookieHeader, ownerCookieName)
      if (token === null) return null
      try {
        const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], audience: AUDIENCE })
        if (typeof payload.sub !== 'string' || payload.sub === '') return null
        return { owner: payload.sub, stale: seconds() - (payload.iat ?? 0) > RENEW_AFTER_SECONDS }
      } catch {
        return null
      }
    },

    create: newId,

    async cookie(owner, { secure }) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(owner)
        .setAudience(AUDIENCE)
        .setIssuedAt(seconds())
        .sign(secret)
      const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`
      return `${ownerCookieName}=${token}; ${attributes}${secure ? '; Secure' : ''}`
    },
  }
}

/** The first cookie of that name, as a browser sends it. */
function readCookie(header: string | null, name: string): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}
