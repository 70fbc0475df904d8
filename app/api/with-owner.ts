import type { z } from 'zod'
import { makeError } from '@/lib/i18n/t'
import type { ChatService } from '@/lib/server/chats/chat-service'
import { anonymousVisitor, type Visitor } from '@/lib/server/quota/rate'
import { closeWhileDraining } from '@/lib/server/wiring/process/draining.server'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import { getServer } from '@/lib/server/wiring/server'
import type { Server } from '@/lib/server/wiring/server-parts'
import { isChange, refuseRequest, refuseVisitor, identify, NOBODY, type Identity } from './guards'
import { respondToError, withBuild } from './respond'
import type { IncomingBody } from '@/lib/server/http/body-intake'
import { wrongForm } from '@/lib/i18n/wrong-form'
import { bodyIntake } from '@/lib/server/wiring/requests/body-intake.server'

/**
 * The request's JSON, validated. Throws AppError `bad-request`, `too-large` or `unavailable` with a sentence. `admit`
 * is called with the size when the whole body has arrived and before it is parsed, and may refuse or wait. Only then
 * may a slot be taken for which others wait.
 */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number,
  admit: (bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw makeError('bad-request', 'server.not-json')
  const bytes = await readBytes(request, maxBytes, ({ byteLength }) => admit(byteLength))
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw makeError('bad-request', 'server.bad-json')
  }
  return inForm(schema, value)
}

/** What a request sent, if it has the form of the schema. */
export function inForm<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.').slice(0, 200) ?? ''
  throw makeError('bad-request', 'server.wrong-form', { where, ...wrongForm(issue) })
}

/** Requests whose remaining body was not read. */
const unreadRequests = new WeakSet<Request>()

/** Closes the connection, because the rest of such a body may never arrive. */
export function closeUnread(request: Request, response: Response): Response {
  if (unreadRequests.has(request)) response.headers.set('connection', 'close')
  return response
}

/**
 * The body, counted while it arrives, because the length claimed by the client proves nothing. A body that arrives too
 * slowly is refused. While `whole` waits, the body still counts as memory in use.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  whole: (bytes: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const body = bodyIntake().begin()
  try {
    unreadRequests.add(request)
    const bytes = request.body ? await readStream(request.body, maxBytes, body) : new Uint8Array()
    unreadRequests.delete(request)
    body.arrived()
    await whole(bytes)
    return bytes
  } finally {
    body.release()
  }
}

const tooLarge = (maxBytes: number) => makeError('too-large', 'server.too-large', { maxBytes })

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  body: IncomingBody,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  const refused = body.refused.then((why) => {
    throw why === 'too-slow' ? makeError('bad-request', 'server.too-slow') : makeError('unavailable', 'server.busy')
  })
  // Rejects even if nobody awaits it.
  refused.catch(() => {})
  for (;;) {
    const read = reader.read().catch((cause: unknown) => {
      throw makeError('bad-request', 'server.broke-off', {}, { cause })
    })
    read.catch(() => {})
    const step = await Promise.race([read, refused])
    if (step.done) break
    size += step.value.byteLength
    if (size > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    body.add(step.value.byteLength)
    chunks.push(step.value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw makeError('bad-request', 'server.bad-utf8')
  }
}

/** The body schema of each route handler, for the API reference (`scripts/generate/http-api.ts`). */
export const routeBodies = new WeakMap<object, z.ZodType>()

export interface OwnerRequest<Body> {
  readonly owner: string
  readonly identity: Identity
  readonly server: Server
  readonly service: ChatService
  /** The sender, for rate limits. */
  readonly visitor: Visitor
  readonly request: Request
  readonly url: URL
  /** Segments of the path, such as `id`. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

interface RouteOptions<Body> {
  readonly body?: z.ZodType<Body>
  readonly maxBytes?: number | ((server: Server) => number)
  /** For a visitor who is signing in: no owner is created, and nobody is refused. */
  readonly arriving?: true
  /** Whether this visitor may use the route at all, checked before the body is read. Throws AppError. */
  readonly allow?: (request: Pick<OwnerRequest<Body>, 'identity' | 'server'>) => void
  /**
   * Takes a slot for which others wait, once the whole body has arrived, so that a client that sends nothing holds
   * none. The returned function is called at the end in any case. Rejects with AppError.
   */
  readonly admit?: (request: Pick<OwnerRequest<Body>, 'owner' | 'service' | 'request'>) => Promise<() => void>
}

type RouteHandler = (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response>

const DEFAULT_MAX_BYTES = 64 * 1024

/**
 * Wraps a route: guards, owner, limits and body first, then the handler; every error becomes a status and a sentence. A
 * visitor gets a cookie with the first change. Reading without a cookie finds nothing and sets none, so that parallel
 * first requests can't overwrite each other's.
 */
export function withOwner<Body = null>(
  options: RouteOptions<Body>,
  handle: (request: OwnerRequest<Body>) => Promise<Response>,
): RouteHandler {
  const answer: RouteHandler = async (request, context) => {
    let leave: (() => void) | undefined
    try {
      const refused = refuseRequest(request)
      if (refused) return refused
      const server = await getServer()
      const identity = await identify(server, request, {
        changes: isChange(request),
        arriving: options.arriving === true,
      })
      const { owner, cookies } = identity
      if (owner !== NOBODY) server.recordOwner?.(owner)
      const visitor = server.fairUse?.visitorOf(request, identity.signedIn?.account.role) ?? anonymousVisitor
      const tooMany = await refuseVisitor({ request, server, identity, visitor })
      if (tooMany) return tooMany
      options.allow?.({ identity, server })
      const { maxBytes = DEFAULT_MAX_BYTES } = options
      const enter = async (bytes: number) => {
        await server.fairUse?.admitBytes(visitor, bytes)
        leave = await options.admit?.({ owner, service: server.service, request })
      }
      const body = options.body
        ? await readBody(request, options.body, typeof maxBytes === 'function' ? maxBytes(server) : maxBytes, enter)
        : (null as Body)
      if (!options.body) await enter(0)
      const params = (await context.params) as Readonly<Record<string, string>>
      const url = new URL(request.url)
      const response = await handle({
        owner,
        identity,
        server,
        service: server.service,
        visitor,
        request,
        url,
        params,
        body,
      })
      // The handler's cookies come last, so that they can delete or replace those renewed by the identification.
      const own = response.headers.getSetCookie()
      response.headers.delete('set-cookie')
      for (const cookie of [...cookies, ...own]) response.headers.append('set-cookie', cookie)
      return response
    } catch (error) {
      return closeUnread(
        request,
        respondToError(error, (cause) => logProblem('a request failed', cause)),
      )
    } finally {
      leave?.()
    }
  }
  const route: RouteHandler = async (request, context) => withBuild(closeWhileDraining(await answer(request, context)))
  if (options.body) routeBodies.set(route, options.body)
  return route
}

/** A segment of the path; Next always provides it. */
export function param(params: Readonly<Record<string, string>>, name: string): string {
  const value = params[name]
  if (value === undefined) throw makeError('not-found', 'server.nothing-here')
  return value
}

/** A reader's position: `?after=SEQ`, 0 if left out. */
export function afterOf(url: URL): number {
  const text = url.searchParams.get('after') ?? '0'
  if (!/^\d{1,9}$/.test(text)) throw makeError('bad-request', 'server.after-no-number')
  return Number(text)
}

/**
 * Ends a response in progress together with the session or account that requested it; a reader without a session is not
 * affected. Returns a function to call when the response is over.
 */
export function endWithSession(
  { server: { accounts = null }, identity: { signedIn } }: Pick<OwnerRequest<unknown>, 'server' | 'identity'>,
  gone: AbortController,
): () => void {
  if (!accounts || !signedIn || gone.signal.aborted) return () => {}
  const stop = accounts.watch(signedIn, () => gone.abort())
  gone.signal.addEventListener('abort', stop, { once: true })
  return stop
}
