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
import { whoHeader } from '@/lib/shared/conversation/wire/addresses'

/** An owner who owns nothing. */
export const NOBODY = 'nobody'

export interface Identity {
  readonly owner: string
  /** Null: a browser without an account. */
  readonly signedIn: SignedIn | null
  /** The owner of the browser's own chats, which belong to no account. */
  readonly anonymous: string | null
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[]
  /** A returning visitor. */
  readonly known: boolean
}

interface Wanted {
  /** A new visitor gets an owner. */
  readonly changes: boolean
  /** A sign-in request: no owner is created, and nobody is refused. */
  readonly arriving: boolean
}

/**
 * The request's owner: the signed-in account, or the browser's own owner by its cookie. Throws AppError `signed-out` if
 * an account is required, or if the page belonged to another owner.
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
    // A user named by the proxy never visits the sign-in page, where the browser's chats would be taken over.
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

/** The `Set-Cookie` values that delete the browser's own owner, because its chats now belong to an account. */
export const forgottenOwnerCookies = (secure: boolean): readonly string[] =>
  [ownerCookieName, ...(secure ? [secureOwnerCookieName] : [])].map(
    (name) => `${name}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  )

/* A check that a request must pass before its body is read. Each guard returns the response that ends the request,
   or null. */

export type RequestGuard = (request: Request) => Response | null

/** The request and its sender. */
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

/** The shared access token, if the server has one. Throws AppError if the setting itself is invalid. */
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

/** In this order, so that a request refused early learns nothing about the server. */
const requestGuards: readonly RequestGuard[] = [allowedHost, accessToken, sameOrigin]

/** The first refusal of a request, before its sender is known. */
export function refuseRequest(request: Request): Response | null {
  for (const guard of requestGuards) {
    const refused = guard(request)
    if (refused) return refused
  }
  return null
}

/** The first refusal of a visitor. A request within its rate limit counts as a visit. */
export async function refuseVisitor(context: VisitorContext): Promise<Response | null> {
  const refused = await requestRate(context)
  if (refused) return refused
  const { identity, server, visitor } = context
  if (identity.known) server.fairUse?.visited(identity.owner, visitor)
  return newVisitorRate(context)
}

/** For a route's `allow`. Throws AppError `forbidden` on a server without sharing. */
export function sharingIsOn({ server }: { readonly server: Server }): void {
  if (server.share === 'off') throw makeError('forbidden', 'chat.share.off')
}
