import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64url, jwtVerify } from 'jose'
import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/*
 * The owner of the chats: an anonymous id in a signed cookie that scripts cannot read. Nothing to revoke and nothing to
 * look up; the holder of the cookie is the owner.
 */

export const ownerCookieName = 'nod_owner'
/** Over HTTPS: no other host of the domain, and no other path, can plant a cookie with this name. */
export const secureOwnerCookieName = `${secureCookiePrefix}nod_owner`

/**
 * Browsers keep cookies for at most 400 days and delete them themselves. The server accepts a cookie of any age:
 * otherwise a clock that is wrong for a minute would turn every returning user into a new visitor, and replace their
 * cookie for good.
 */
const MAX_AGE_SECONDS = 400 * 24 * 60 * 60
/** A cookie whose time is further from now, past or future, is signed again. */
const RENEW_AFTER_SECONDS = 30 * 24 * 60 * 60
const AUDIENCE = 'nod:owner'
/** A browser sends one or two cookies; each check costs a signature. */
const MAX_TRIED = 8

/** The number of cookies remembered as verified; each takes about 300 bytes. */
const MAX_VERIFIED = 10_000

export interface OwnerPorts {
  /** At least 32 bytes; the same on all nodes. */
  readonly secret: Uint8Array
  /** Former signing secrets; their cookies are accepted and signed again. */
  readonly previousSecrets?: readonly Uint8Array[]
  readonly newId: () => string
  /** Epoch milliseconds. */
  readonly now: () => number
}

export interface KnownOwner {
  readonly owner: string
  /** The cookie should be sent again: it is old, or has a former name or secret. */
  readonly stale: boolean
}

/** The content of a cookie with a valid signature. */
interface Signed {
  readonly owner: string
  /** Epoch seconds. */
  readonly issuedAt: number
  /** Signed by a former secret. */
  readonly isOfBefore: boolean
}

export interface Owners {
  /** The owner in the request's `Cookie` header; null if there is none or it is forged. */
  read(cookieHeader: string | null, options?: { readonly secure: boolean }): Promise<KnownOwner | null>
  create(): string
  /** The `Set-Cookie` value for an owner. */
  cookie(owner: string, options: { readonly secure: boolean }): string
}

/** The `Set-Cookie` value that deletes the cookie with the former name, once its owner has the new one. */
export const forgottenOwnerCookie = `${ownerCookieName}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax; Secure`

/** Whether the request still carries the cookie with the former name over HTTPS. */
export const holdsOldOwnerCookie = (cookieHeader: string | null, { secure }: { readonly secure: boolean }): boolean =>
  secure && readCookies(cookieHeader, ownerCookieName).length > 0

const encoder = new TextEncoder()

/** An HS256 token. Signed on this thread: for a short text that is faster than a job on another thread. */
function signToken(payload: object, key: Uint8Array): string {
  const text = [{ alg: 'HS256' }, payload].map((part) => base64url.encode(JSON.stringify(part))).join('.')
  return `${text}.${base64url.encode(hmac(sha256, key, encoder.encode(text)))}`
}

export function createOwners({ secret, previousSecrets = [], newId, now }: OwnerPorts): Owners {
  const seconds = () => Math.floor(now() / 1000)

  /** A signature stays valid, so a repeated cookie is recognized without checking it again. */
  const verified = new Map<string, Signed>()

  function remember(token: string, signed: Signed): void {
    if (verified.size >= MAX_VERIFIED) verified.clear()
    verified.set(token, signed)
  }

  async function verify(token: string, key: Uint8Array): Promise<Signed | null> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        audience: AUDIENCE,
      })
      if (typeof payload.sub !== 'string' || payload.sub === '' || payload.iat === undefined) return null
      return { owner: payload.sub, issuedAt: payload.iat, isOfBefore: key !== secret }
    } catch {
      return null
    }
  }

  async function signedBy(token: string): Promise<Signed | null> {
    const known = verified.get(token)
    if (known) return known
    for (const key of [secret, ...previousSecrets]) {
      const found = await verify(token, key)
      if (!found) continue
      remember(token, found)
      return found
    }
    return null
  }

  /** The first valid one: others with that name may have been planted, and must not lock anyone out. */
  async function firstValid(tokens: readonly string[]): Promise<KnownOwner | null> {
    for (const token of tokens.slice(0, MAX_TRIED)) {
      const found = await signedBy(token)
      if (!found) continue
      const { owner, issuedAt, isOfBefore } = found
      return { owner, stale: isOfBefore || Math.abs(seconds() - issuedAt) > RENEW_AFTER_SECONDS }
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

    cookie(owner, { secure }) {
      const issuedAt = seconds()
      const token = signToken({ sub: owner, aud: AUDIENCE, iat: issuedAt }, secret)
      // A new visitor's next request follows at once.
      remember(token, { owner, issuedAt, isOfBefore: false })
      const attributes = `Path=${cookiePath}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`
      return secure
        ? `${secureOwnerCookieName}=${token}; ${attributes}; Secure`
        : `${ownerCookieName}=${token}; ${attributes}`
    },
  }
}
