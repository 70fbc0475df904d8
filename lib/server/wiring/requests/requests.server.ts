import { monotonicClock, type MonotonicClock } from '@/lib/base/clocks'
import { withoutBase } from '@/lib/base/base-path'
import { createHmac } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { believesPeer, proxyTrust } from '@/lib/server/http/forwarded'
import { isUnloggedRoute, routePattern, requestId, requestIdHeader } from '@/lib/server/http/request-names'
import { logLine, currentRequest, enterRequest, type RequestContext } from '../log/log.server'
import { settingsOrThrow } from '../settings.server'
import type { TracedRequests } from '../log/traced-request'

interface Started {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const key = Symbol.for('nod.requests')
/** On globalThis: the server is created in one bundle, and requests arrive in another. */
const tracingKey = Symbol.for('nod.tracing')
const slot = globalThis as typeof globalThis & { [key]?: boolean; [tracingKey]?: TracedRequests | null }

/** Starts tracing requests; null stops it. */
export const setTracedRequests = (traced: TracedRequests | null): void => {
  slot[tracingKey] = traced
}

/**
 * Gives every request of this process an id before it is handled, returns the id in the response, and logs a line at
 * the end. Uses Node's own events, so pages, files and routes are all included, whatever handles them. Call it once per
 * process.
 */
export function watchRequests(monotonic: MonotonicClock = monotonicClock): void {
  if (slot[key]) return
  slot[key] = true
  channel('http.server.request.start').subscribe((message) => {
    const { request, response } = message as Started
    // Only a configured proxy: one that is merely beside the server may pass on what a visitor wrote.
    const named = proxyTrust(settingsOrThrow().NOD_TRUST_PROXY)
    const trusted = believesPeer(request.socket.remoteAddress ?? '', named)
    const id = requestId(request.headers[requestIdHeader], { trusted, newId: () => crypto.randomUUID() })
    const span = slot[tracingKey]?.begin(trusted ? headerOf(request, 'traceparent') : undefined)
    const context = { id, ...(span && { span }) }
    enterRequest(context)
    response.setHeader(requestIdHeader, id)
    const from = monotonic()
    response.once('close', () => told(request, response, context, monotonic() - from))
  })
}

function told(
  { method = 'GET', url = '/' }: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  ms: number,
): void {
  const route = routePattern(withoutBase(url))
  context.span?.end({ method, route, status: response.statusCode })
  logLine(isUnloggedRoute(route) ? 'debug' : 'info', 'request', {
    method,
    route,
    status: response.statusCode,
    ms: Math.round(ms),
    request: context.id,
    ...(context.owner && { owner: context.owner() }),
    // The client disconnected before the end: a reader that left, or a stop.
    ...(!response.writableFinished && { broken: true }),
  })
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Records the owner for the log, as a short hash that requires this server's secret. */
export function recordOwner(owner: string, secret: Uint8Array): void {
  const context = currentRequest()
  if (!context) return
  // Computed only after the response.
  context.owner = () => createHmac('sha256', secret).update(`log ${owner}`).digest('base64url').slice(0, 10)
}
