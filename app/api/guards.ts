import { makeRefusal, makeError } from '@/lib/i18n/t'
import type { Visitor } from '@/lib/server/quota/rate'
import { isHostAllowed } from '@/lib/server/http/bind'
import { isSameOrigin, isSecure } from '@/lib/server/http/access'
import { newVisitorSubject, newVisitorWait, callerOf } from '@/lib/server/wiring/requests/page-identity.server'
import { serverAccess } from '@/lib/server/wiring/requests/owners.server'
import { serverBind } from '@/lib/server/wiring/settings.server'
import type { Server } from '@/lib/server/wiring/server-parts'
import { errorResponse } from './respond'
import { cookiePath } from '@/lib/base/base-path'
import type { SignedIn } from '@/lib/server/accounts/account-context'
import {
  forgottenOwnerCookie,
  holdsOldOwnerCookie,
  ownerCookieName,
  secureOwnerCookieName,
} from '@/lib/server/quota/owner'
import { whoHeader } from '@/lib/shared/conversation/settings/who'

/** No one, who owns nothing. */
export const NOBODY = 'nobody'

export interface Identity {
  readonly owner: string
  /** Null: a browser without an account. */
  readonly signedIn: SignedIn | null
  /** Whose the browser's own chats are, and no account's. */
  readonly anonymous: string | null
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[]
  /** Was here before. */
  readonly known: boolean
}

interface Wanted {
  /** Someone new gets an owner. */
  readonly changes: boolean
  /** Asks who is signed in only to sign in: no one is made up, no one refused. */
  readonly arriving: boolean
}

/**
 * Whose request this is: the account's that is signed in, else the browser's own owner by its cookie. Throws AppError
 * `signed-out` where an account is needed, or the page was another's.
 */
export async function identify(server: Server, request: Request, wanted: Wanted): Promise<Identity> {
  const { accounts = null, owners } = server
  const secure = isSecure(request)
  const header = request.headers.get('cookie')
  const read = await owners.read(header, { secure })
  const known = read && accounts && (await accounts.isTaken(read.owner)) ? null : read
  const anonymous = known?.owner ?? null
  const signedIn = (await accounts?.identify(callerOf(request, anonymous))) ?? null
  if (!wanted.arriving) refuseOthers(server, request, signedIn)

  if (signedIn) {
    const { owner } = signedIn.account
    // Anyone who is named by the proxy never came by the page to sign in, where the browser's chats are brought.
    const left = signedIn.sessionToken === null && anonymous !== null && anonymous !== owner
    if (left) await accounts?.transferChats(anonymous, owner)
    const cookies = left ? [...signedIn.cookies, ...forgottenOwnerCookies(secure)] : signedIn.cookies
    return { owner, signedIn, anonymous, cookies, known: true }
  }
  if (known && !(known.stale && wanted.changes)) {
    return { owner: known.owner, signedIn, anonymous, cookies: [], known: true }
  }
  if (wanted.arriving || (!known && !wanted.changes))
    return { owner: NOBODY, signedIn, anonymous, cookies: [], known: false }
  const owner = known?.owner ?? owners.create()
  const cookie = owners.cookie(owner, { secure })
  const cookies = holdsOldOwnerCookie(header, { secure }) ? [cookie, forgottenOwnerCookie] : [cookie]
  return { owner, signedIn, anonymous: owner, cookies, known: known !== null }
}

function refuseOthers({ accounts, mark }: Server, request: Request, signedIn: SignedIn | null): void {
  if (!accounts) return
  const page = request.headers.get(whoHeader) ?? ''
  const here = signedIn ? (mark?.(signedIn.account.owner) ?? '') : ''
  if (page !== '' && page !== here) throw makeError('signed-out', 'accounts.signed-out')
  if (!signedIn && !accounts.offered.anonymous) throw makeError('signed-out', 'accounts.sign-in-needed')
}

/** The `Set-Cookie` values that take the browser's own owner away: its chats are an account's. */
export const forgottenOwnerCookies = (secure: boolean): readonly string[] =>
  [ownerCookieName, ...(secure ? [secureOwnerCookieName] : [])].map(
    (name) => `${name}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  )

/* What a request must pass before its body is read. Each guard returns the response that ends the request, or null. */

export type RequestGuard = (request: Request) => Response | null

/** The request and who sent it. */
export interface VisitorContext {
  readonly request: Request
  readonly server: Server
  readonly identity: Identity
  readonly visitor: Visitor
}

export type VisitorGuard = (context: VisitorContext) => Promise<Response | null>

/** True for a request that may change something. */
export const isChange = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

const allowedHost: RequestGuard = (request) =>
  isHostAllowed(request, serverBind()) ? null : errorResponse('bad-request', makeRefusal('server.wrong-host'), 421)

/** The shared access token, where the server has one. Throws AppError when the setting itself is wrong. */
const accessToken: RequestGuard = (request) => {
  const access = serverAccess()
  if (!access.ok) throw access.error
  return access.value === null || access.value.isLetIn(request.headers.get('cookie'))
    ? null
    : errorResponse('access-needed', makeRefusal('server.access-needed'), 401)
}

const sameOrigin: RequestGuard = (request) =>
  !isChange(request) || isSameOrigin(request)
    ? null
    : errorResponse('bad-request', makeRefusal('server.other-site'), 403)

const tooMany = (reason: 'server.too-many-requests' | 'server.too-many-newcomers', seconds: number): Response | null =>
  seconds > 0
    ? errorResponse('rate-limited', makeRefusal(reason, { seconds }), 429, { 'retry-after': String(seconds) })
    : null

const requestRate: VisitorGuard = async ({ request, server, identity: { owner, known }, visitor }) => {
  const subject = known ? owner : newVisitorSubject(request)
  const ownWait = known || isChange(request) ? server.rateLimit.wait(subject) : 0
  const wait = ownWait || (known ? ((await server.fairUse?.requestWait(owner, visitor)) ?? 0) : 0)
  return tooMany('server.too-many-requests', wait)
}

const newVisitorRate: VisitorGuard = async ({ request, server, identity: { known }, visitor }) => {
  if (known || !isChange(request)) return null
  return tooMany(
    'server.too-many-newcomers',
    newVisitorWait(request) || ((await server.fairUse?.newVisitorWait(visitor)) ?? 0),
  )
}

/** In this order: nothing about the server is told to a request that is refused early. */
const requestGuards: readonly RequestGuard[] = [allowedHost, accessToken, sameOrigin]

/** The first refusal of a request, before its sender is known. */
export function refuseRequest(request: Request): Response | null {
  for (const guard of requestGuards) {
    const refused = guard(request)
    if (refused) return refused
  }
  return null
}

/** The first refusal of a visitor. A request within its rate counts as a visit. */
export async function refuseVisitor(context: VisitorContext): Promise<Response | null> {
  const refused = await requestRate(context)
  if (refused) return refused
  const { identity, server, visitor } = context
  if (identity.known) server.fairUse?.visited(identity.owner, visitor)
  return newVisitorRate(context)
}

/** For `allow` of a route. Throws AppError `forbidden` on a server where no one shares. */
export function sharingIsOn({ server }: { readonly server: Server }): void {
  if (server.share === 'off') throw makeError('forbidden', 'chat.share.off')
}
