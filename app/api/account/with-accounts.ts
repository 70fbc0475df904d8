import { z } from 'zod'
import { safePath, isSecure } from '@/lib/server/http/access'
import type { Arrival, Caller, SignedIn } from '@/lib/server/accounts/account-context'
import type { Accounts } from '@/lib/server/accounts/accounts'
import { shownAddress } from '@/lib/server/accounts/admin-actions'
import { callerOf } from '@/lib/server/wiring/requests/page-identity.server'
import { makeError } from '@/lib/i18n/t'
import { forgottenOwnerCookies } from '../guards'
import { json } from '../respond'
import { withOwner, type OwnerRequest } from '../with-owner'
import { cookiePath, secureCookiePrefix } from '@/lib/base/base-path'
import { readCookies } from '@/lib/base/read-cookies'

/* Lengths are limited here; the accounts validate the values and explain errors in a sentence. */

const email = z.string().max(400)
const password = z.string().max(1000)
const code = z.string().max(200)
/** A path on this server; anything else becomes `/`. */
const next = z
  .string()
  .max(2000)
  .transform((path) => safePath(path))

export const signUpBody = z.strictObject({
  email,
  password,
  name: z.string().max(100).default(''),
  invitation: code.nullable().default(null),
})
export const signInBody = z.strictObject({ email, password })
export const signOutBody = z.strictObject({ everywhere: z.boolean().default(false) })
export const oidcBody = z.strictObject({
  next: next.default('/'),
  link: z.boolean().default(false),
  invitation: code.nullable().default(null),
})
export const passwordBody = z.strictObject({ current: password, next: password })
export const resetBody = z.strictObject({ code, password })
export const deleteBody = z.strictObject({ confirm: email, password: password.nullable().default(null) })

const role = z.enum(['user', 'admin'])

/** One change per request, so that each is one entry of the audit. */
export const changeAccountBody = z.union([z.strictObject({ role }), z.strictObject({ disabled: z.boolean() })])
export const inviteBody = z.strictObject({ email: z.string().max(400).nullable(), role: role.default('user') })

interface AccountRequest<Body> extends OwnerRequest<Body> {
  readonly accounts: Accounts
  readonly caller: Caller
}

type Asking = Pick<OwnerRequest<unknown>, 'identity' | 'server'>

/** Checked before the body of any of these routes is read. */
function requireAccounts({ server }: Asking): Accounts {
  if (!server.accounts) throw makeError('not-found', 'accounts.off')
  return server.accounts
}

function requireSignedIn(asking: Asking): SignedIn {
  requireAccounts(asking)
  const who = asking.identity.signedIn
  if (!who) throw makeError('signed-out', 'accounts.sign-in-needed')
  return who
}

interface Options<Body> {
  readonly body?: z.ZodType<Body>
}
type Handle<Request> = (request: Request) => Promise<Response>
type SignedInRequest<Body> = AccountRequest<Body> & { readonly who: SignedIn }

/** A route of a server with accounts, for a visitor who is signing in; `not-found` on a server without accounts. */
export const withAccounts = <Body = null>(
  options: Options<Body> & { readonly allow?: (asking: Asking) => void },
  handle: Handle<AccountRequest<Body>>,
) =>
  withOwner<Body>({ allow: requireAccounts, ...options, arriving: true }, async (asked) =>
    handle({ ...asked, accounts: requireAccounts(asked), caller: callerOf(asked.request, asked.identity.anonymous) }),
  )

/** The same for signed-in visitors. */
export const withAccount = <Body = null>(
  options: Options<Body> & { readonly allow?: (asking: Asking) => void },
  handle: Handle<SignedInRequest<Body>>,
) =>
  withAccounts<Body>({ allow: requireSignedIn, ...options }, async (asked) =>
    handle({ ...asked, who: requireSignedIn(asked) }),
  )

/** The same for administrators; their actions check the role again. */
export const withAdmin = <Body = null>(options: Options<Body>, handle: Handle<SignedInRequest<Body>>) =>
  withAccount<Body>({ ...options, allow: requireAdmin }, handle)

function requireAdmin(asking: Asking): void {
  if (requireSignedIn(asking).account.role !== 'admin') throw makeError('forbidden', 'accounts.not-admin')
}

export function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

/** Signed in: the browser no longer has its own owner. `who`: how its page identifies the account from now on. */
export function arrived(
  { request, server }: OwnerRequest<unknown>,
  { account, cookies, moved, waiting }: Arrival,
): Response {
  const answer = {
    account: { name: account.name, email: shownAddress(account.email), role: account.role },
    who: server.mark?.(account.owner) ?? '',
    moved,
    waiting,
  }
  return withCookies(json(answer), [...cookies, ...forgottenOwnerCookies(isSecure(request))])
}

/** Signed out: also clears the browser's cached pages and pictures. */
export function left(cookies: readonly string[]): Response {
  const response = withCookies(json({}), cookies)
  response.headers.set('clear-site-data', '"cache"')
  return response
}

/* How long an invitation is stored in the browser while its user is at the provider. */

const MAX_AGE_SECONDS = 10 * 60
const nameOf = (secure: boolean): string => (secure ? `${secureCookiePrefix}nod_invitation` : 'nod_invitation')

export const invitationCookie = (invitation: string | null, secure: boolean): string =>
  `${nameOf(secure)}=${encodeURIComponent(invitation ?? '')}; Path=${cookiePath}; Max-Age=${invitation === null ? 0 : MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export function heldInvitation(cookieHeader: string | null, secure: boolean): string | null {
  const [held = ''] = readCookies(cookieHeader, nameOf(secure))
  // A malformed code is ignored.
  return /^[A-Za-z0-9_-]{1,200}$/.test(held) ? held : null
}
