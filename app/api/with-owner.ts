import type { z } from 'zod'
import { AppError } from '@/lib/base/app-error'
import type { ChatService } from '@/lib/chat/chat-service'
import { isSameOrigin, isSecure } from '@/lib/http/origin'
import { getServer, type Server } from '@/lib/wiring/server'
import { readBody } from './read-body'
import { errorResponse, respondToError, withBuild } from './respond'

export interface OwnerRequest<Body> {
  readonly owner: string
  readonly service: ChatService
  readonly request: Request
  readonly url: URL
  /** Segments of the path, such as `id`. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

interface RouteOptions<Body> {
  readonly body?: z.ZodType<Body>
  readonly maxBytes?: number
}

type RouteHandler = (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response>

const DEFAULT_MAX_BYTES = 64 * 1024
const NOBODY = 'nobody'

/**
 * What every route does first: knows the owner, refuses other sites and floods, checks the body; and last: turns every
 * error into a status and a sentence. A visitor without a cookie gets one with the first change; reading without one
 * finds nothing, and sets none, so that parallel first requests can't overwrite each other's.
 */
export function withOwner<Body = null>(
  options: RouteOptions<Body>,
  handle: (request: OwnerRequest<Body>) => Promise<Response>,
): RouteHandler {
  const answer: RouteHandler = async (request, context) => {
    try {
      const changes = request.method !== 'GET' && request.method !== 'HEAD'
      if (changes && !isSameOrigin(request)) {
        return errorResponse('bad-request', 'This request came from another site, so it was refused.', 403)
      }
      const server = await getServer()
      const { owner, cookie, known } = await identify(server, request, changes)
      // Newcomers share one bucket, so that nobody escapes it by throwing cookies away.
      const waitSeconds = known || changes ? server.rateLimit.take(known ? owner : NOBODY) : 0
      if (waitSeconds > 0) {
        const message = `Too many requests at once. Wait ${waitSeconds} s and try again.`
        return errorResponse('rate-limited', message, 429, { 'retry-after': String(waitSeconds) })
      }
      const body = options.body
        ? await readBody(request, options.body, options.maxBytes ?? DEFAULT_MAX_BYTES)
        : (null as Body)
      const params = (await context.params) as Readonly<Record<string, string>>
      const url = new URL(request.url)
      const response = await handle({ owner, service: server.service, request, url, params, body })
      if (cookie !== null) response.headers.append('set-cookie', cookie)
      return response
    } catch (error) {
      return respondToError(error, (cause) => console.warn('[nod] a request failed:', cause))
    }
  }
  return async (request, context) => withBuild(await answer(request, context))
}

async function identify({ owners }: Server, request: Request, changes: boolean) {
  const known = await owners.read(request.headers.get('cookie'))
  if (known && !(known.stale && changes)) return { owner: known.owner, cookie: null, known: true }
  if (!known && !changes) return { owner: NOBODY, cookie: null, known: false }
  const owner = known?.owner ?? owners.create()
  return { owner, cookie: await owners.cookie(owner, { secure: isSecure(request) }), known: known !== null }
}

/** A segment of the path; Next always gives it. */
export function param(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name]
  if (value === undefined) throw new AppError('not-found', 'There is nothing under this address.')
  return value
}
