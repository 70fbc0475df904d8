import { jwtVerify, SignJWT } from 'jose'
import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/*
 * Whose chats these are: an anonymous id in a signed cookie that scripts cannot read. There is nothing to revoke and
 * nothing to look up; who holds the cookie is the owner.
 */

export const ownerCookieName = 'nod_owner'
/** Over HTTPS: no other host of the domain, and no path, can plant one under this name. */
export const secureOwnerCookieName = `${secureCookiePrefix}nod_owner`

/** Browsers cap cookies at 400 days, and so does the server; each visit after `RENEW_AFTER_DAYS` moves the end on. */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60
const RENEW_AFTER_SECONDS = 30 * 24 * 60 * 60
const AUDIENCE = 'nod:owner'
/** A browser sends one or two; every one that is tried costs a signature. */
const MAX_TRIED = 8

export interface OwnerPorts {
  /** At least 32 bytes; the same on all nodes. */
  readonly secret: Uint8Array
  /** Signed cookies before; what they signed is taken, and signed anew. */
  readonly previousSecrets?: readonly Uint8Array[]
  readonly newId: () => string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface KnownOwner {
  readonly owner: string
  /** The cookie should be sent again: it is old, or of a name or a secret of before. */
  readonly stale: boolean
}

export interface Owners {
  /** Who the request's `Cookie` header names; null for none, a forged, an expired or a foreign one. */
  read(cookieHeader: string | null, options?: { readonly secure: boolean }): Promise<KnownOwner | null>
  create(): string
  /** The `Set-Cookie` value for an owner. */
  cookie(owner: string, options: { readonly secure: boolean }): Promise<string>
}

/** The `Set-Cookie` value that takes the name of before away, once its owner has the new one. */
export const forgottenOwnerCookie = `${ownerCookieName}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax; Secure`

/** Whether the request still carries the name of before beside HTTPS. */
export const holdsOldOwnerCookie = (cookieHeader: string | null, { secure }: { readonly secure: boolean }): boolean =>
  secure && readCookies(cookieHeader, ownerCookieName).length > 0

export function createOwners({ secret, previousSecrets = [], newId, now }: OwnerPorts): Owners {
  const seconds = () => Math.floor(now() / 1000)

  async function verify(token: string, key: Uint8Array): Promise<{ owner: string; age: number } | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        audience: AUDIENCE,
        maxTokenAge: MAX_AGE_SECONDS,
        currentDate: new Date(now()),
      })
      if (typeof payload.sub !== 'string' || payload.sub === '') return null
      return { owner: payload.sub, age: seconds() - (payload.iat ?? 0) }
    } catch {
      return null
    }
  }

  /** The first that is valid: others of that name may have been planted, and must not lock anybody out. */
  async function firstValid(tokens: readonly string[]): Promise<KnownOwner | null> {
    for (const token of tokens.slice(0, MAX_TRIED)) {
      for (const [index, key] of [secret, ...previousSecrets].entries()) {
        const found = await verify(token, key)
        if (found) return { owner: found.owner, stale: index > 0 || found.age > RENEW_AFTER_SECONDS }
      }
    }
    return null
  }

  return {
    async read(cookieHeader, { secure } = { secure: false }) {
      const known = await firstValid(readCookies(cookieHeader, secureOwnerCookieName))
      if (known) return known
      const plain = await firstValid(readCookies(cookieHeader, ownerCookieName))
      return plain && { ...plain, stale: plain.stale || secure }
    },

    create: newId,

    async cookie(owner, { secure }) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(owner)
        .setAudience(AUDIENCE)
        .setIssuedAt(seconds())
        .sign(secret)
      const attributes = `Path=${cookiePath}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`
      return secure
        ? `${secureOwnerCookieName}=${token}; ${attributes}; Secure`
        : `${ownerCookieName}=${token}; ${attributes}`
    },
  }
}
