import { makeRefusal } from '@/lib/i18n/t'
import type { Visitor } from '@/lib/server/quota/quota-limits'
import { isHostAllowed } from '@/lib/server/http/bind'
import { isSameOrigin } from '@/lib/server/http/access'
import { newVisitorSubject, newVisitorWait } from '@/lib/server/wiring/requests/page-identity.server'
import { serverAccess } from '@/lib/server/wiring/requests/owners.server'
import { serverBind } from '@/lib/server/wiring/settings.server'
import type { Server } from '@/lib/server/wiring/server-parts'
import type { Identity } from './identify'
import { errorResponse } from './respond'

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
