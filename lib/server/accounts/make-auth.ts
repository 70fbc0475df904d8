import { cookiePath, secureCookiePrefix, withBase } from '@/lib/base/base-path'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { genericOAuth } from 'better-auth/plugins'
import { decodeJwt } from 'jose'
import type { Store } from '@/lib/server/store/ports/store'
import type { AccountSettings, OidcSettings } from '@/lib/shared/server-facts/account-rows'
import { newVisitors } from './new-visitor'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readCookies } from '@/lib/base/read-cookies'

/*
 * better-auth identifies a session by `TOKEN.SIGNATURE`, percent-encoded; the signature is the base64 HMAC-SHA256 of
 * the token. better-auth takes only one secret. A cookie signed by an earlier secret is signed again here first, so
 * that a changed secret signs nobody out.
 */

const sessionCookieName = 'nod_session'
/** Over HTTPS: no other host of the domain, and no other path, can plant a cookie with this name. */
const secureSessionCookieName = `${secureCookiePrefix}nod_session`

export const nameOfSessionCookie = (secure: boolean): string => (secure ? secureSessionCookieName : sessionCookieName)

/** Whether the request carries a session cookie; without one the caller is anonymous, which needs no database query. */
export const holdsSessionCookie = (cookieHeader: string | null): boolean =>
  [sessionCookieName, secureSessionCookieName].some((name) => readCookies(cookieHeader, name).length > 0)

/** A browser sends one or two cookies; each check costs a signature. */
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
  /** In better-auth's format, signed with the current secret. */
  readonly value: string
  /** The received cookie was signed by an earlier secret; the browser should get `value`. */
  readonly stale: boolean
}

/** The first value that one of the secrets signed, newest first; null if there is none or it is forged. */
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

const DAY_SECONDS = 24 * 60 * 60
export const SESSION_SECONDS = 30 * DAY_SECONDS
/** How old "last seen" may be; a row is written once per such interval. */
const SEEN_EVERY_SECONDS = 5 * 60
export const MIN_PASSWORD_CHARS = 10
export const MAX_PASSWORD_CHARS = 128
/** Set only by our code; a value from a client never gets here. */
export const ADDRESS_HEADER = 'x-nod-address'
export const OIDC = 'oidc'

export interface PasswordHashes {
  readonly hash: (password: string) => Promise<string>
  readonly verify: (kept: { readonly hash: string; readonly password: string }) => Promise<boolean>
}

export interface AuthPorts {
  readonly store: Pick<Store, 'accounts' | 'database'>
  readonly settings: AccountSettings
  /** How passwords are hashed. Default: scrypt, which takes 80 ms on purpose. */
  readonly passwords?: PasswordHashes
  /** Signs the cookies. */
  readonly secret: string
  readonly now: () => number
  readonly newId: () => string
  readonly log: (what: string, cause: unknown) => void
  /**
   * Why no account may be created for this address; null: it may. `proven`: a provider or an invitation vouches for the
   * address. `invited`: with an invitation, for this address or for anyone.
   */
  readonly refusalOf: (
    email: string,
    how: { readonly proven: boolean; readonly invited: boolean },
  ) => 'invitation_needed' | 'address_must_be_proven' | null
}

export type Auth = ReturnType<typeof makeAuth>

/**
 * better-auth on our own database handle. Only its functions are called; the only route of it that is reachable is the
 * OIDC callback. `oidc` makes it fetch the provider's description at once, so it is passed only when needed.
 */
export function makeAuth(
  ports: AuthPorts,
  { secure, oidc }: { readonly secure: boolean; readonly oidc: OidcSettings | null },
) {
  const { store, settings, secret } = ports
  const ownOrigin = settings.publicUrl ?? `${secure ? 'https' : 'http'}://nod.invalid`
  return betterAuth({
    appName: 'Nod',
    baseURL: ownOrigin,
    basePath: withBase('/api/auth'),
    secret,
    database: store.database,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message, ...rest) => {
        if (level === 'error' || level === 'warn') ports.log(`accounts: ${message}`, rest[0])
      },
    },
    emailAndPassword: {
      enabled: settings.ways.has('password'),
      minPasswordLength: MIN_PASSWORD_CHARS,
      maxPasswordLength: MAX_PASSWORD_CHARS,
      ...(ports.passwords && { password: ports.passwords }),
    },
    user: {
      modelName: 'auth_user',
      additionalFields: {
        // The hook below sets it, after better-auth has checked its required fields.
        owner: { type: 'string', required: false, input: false, unique: true },
        role: { type: 'string', required: false, input: false },
        disabledAt: { type: 'number', bigint: true, required: false, input: false },
      },
      validateUserInfo({ user, source }) {
        if (source.action !== 'create-user' || source.method === 'header') return
        const newVisitor = newVisitors.getStore()
        const email = user.email?.toLowerCase() ?? ''
        if (!newVisitor) return { error: 'invitation_needed' }
        const { invitation, emailProven } = newVisitor
        const proven = user.emailVerified === true || emailProven || invitation?.email === email
        const refused = ports.refusalOf(email, { proven, invited: invitation !== null })
        return refused === null ? undefined : { error: refused }
      },
    },
    session: {
      modelName: 'auth_session',
      expiresIn: SESSION_SECONDS,
      updateAge: SEEN_EVERY_SECONDS,
      // A session that ended must end on every node at once.
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'auth_account',
      updateAccountOnSignIn: false,
      // Someone may have signed up with another person's address and must not get that person's account later. Linking
      // is explicit and needs a signed-in account.
      accountLinking: { disableImplicitLinking: true, allowDifferentEmails: true, trustedProviders: [OIDC] },
    },
    verification: { modelName: 'auth_verification' },
    plugins: oidc ? [genericOAuth({ config: [oidcConfig(oidc)] })] : [],
    onAPIError: { errorURL: withBase('/sign-in') },
    databaseHooks: hooks(ports),
    advanced: {
      useSecureCookies: false,
      cookiePrefix: secure ? `${secureCookiePrefix}nod` : 'nod',
      cookies: { session_token: { name: nameOfSessionCookie(secure) } },
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: 'lax', path: cookiePath },
      database: { validateSchema: false },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
  })
}

const oidcConfig = ({ issuer, clientId, clientSecret, label }: OidcSettings) => ({
  providerId: OIDC,
  name: label,
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  requireIdTokenVerification: true,
  // better-auth verifies an ID token if there is one, and otherwise relies on the user information alone. Then there is
  // no subject, and the sign-in is refused.
  accountSubject: ({ tokens }: { readonly tokens: { readonly idToken?: string | undefined } }) =>
    tokens.idToken === undefined ? '' : textOf(decodeJwt(tokens.idToken).sub),
  clientId,
  clientSecret,
  pkce: true,
  scopes: ['openid', 'email', 'profile'],
  // Not every user has a name at their provider, but an account needs one.
  mapProfileToUser: (profile: Readonly<Record<string, unknown>>) => ({
    name:
      textOf(profile['name']) || textOf(profile['preferred_username']) || textOf(profile['email']).split('@')[0] || '',
  }),
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

function hooks({ store, now, newId }: AuthPorts) {
  const { accounts } = store
  return {
    user: {
      create: {
        async before(user: { readonly email: string; readonly emailVerified: boolean }) {
          const newVisitor = newVisitors.getStore()
          if (!newVisitor) throw new APIError('FORBIDDEN', { code: 'NOBODY_ASKED' })
          const { invitation } = newVisitor
          const isFor = invitation?.email ?? null
          if (invitation) {
            const fits = isFor === null || isFor === user.email.toLowerCase()
            newVisitor.usedInvitation = fits && (await accounts.useInvitation(invitation.id, now()))
            if (!newVisitor.usedInvitation) throw new APIError('FORBIDDEN', { code: 'invitation_wrong' })
          }
          const { browser } = newVisitor
          newVisitor.claimedOwner = browser !== null && (await accounts.claimOwner(browser, now()))
          const owner = browser !== null && newVisitor.claimedOwner ? browser : newId()
          const emailVerified = user.emailVerified || newVisitor.emailProven || isFor !== null
          return { data: { ...user, owner, role: newVisitor.role, emailVerified } }
        },
        after(user: { readonly id: string }) {
          const newVisitor = newVisitors.getStore()
          if (newVisitor) newVisitor.createdId = user.id
          return Promise.resolve()
        },
      },
    },
    session: {
      create: {
        async before(session: { readonly userId: string }) {
          const account = await accounts.findAccount(session.userId)
          if (account?.disabledAt != null) throw new APIError('FORBIDDEN', { code: 'account_disabled' })
        },
        after(session: { readonly userId: string }) {
          const newVisitor = newVisitors.getStore()
          if (newVisitor) newVisitor.signedInId = session.userId
          return Promise.resolve()
        },
      },
    },
    account: {
      create: {
        // We need no tokens to act in the user's name at the provider.
        before: (account: object) =>
          Promise.resolve({ data: { ...account, accessToken: null, refreshToken: null, idToken: null } }),
      },
    },
  }
}
