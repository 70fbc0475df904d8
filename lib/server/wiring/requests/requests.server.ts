import { monotonicClock, type MonotonicClock } from '@/lib/base/clocks'
import { withoutBase } from '@/lib/base/base-path'
import { createHmac } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { believesPeer, proxyTrust } from '@/lib/server/http/forwarded'
import { isUnloggedRoute, routePattern, requestId, requestIdHeader } from '@/lib/server/http/request-names'
import { logLine } from '../log/log.server'
import { currentRequest, enterRequest, type RequestContext } from '../log/request-context.server'
import { settingsOrThrow } from '../settings.server'
import type { TracedRequests } from '../log/traced-request'

interface Started {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const key = Symbol.for('nod.requests')
/** On globalThis: the server is made in one bundle, requests are heard in another. */
const tracingKey = Symbol.for('nod.tracing')
const slot = globalThis as typeof globalThis & { [key]?: boolean; [tracingKey]?: TracedRequests | null }

/** Spans of requests begin here from now on; null: none any longer. */
export const setTracedRequests = (traced: TracedRequests | null): void => {
  slot[tracingKey] = traced
}

/**
 * Names every request of this process before anyone answers it, gives the name back in the answer, and writes a line when it is
 * over: Node itself tells of them, so pages, files and routes are all among them, no matter who serves. Once a process.
 */
export function watchRequests(monotonic: MonotonicClock = monotonicClock): void {
  if (slot[key]) return
  slot[key] = true
  channel('http.server.request.start').subscribe((message) => {
    const { request, response } = message as Started
    // Only a proxy that is named: one that is merely beside the server may pass on what a visitor wrote.
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
    // No one waited for the end: a reader that went, or a stop.
    ...(!response.writableFinished && { broken: true }),
  })
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Notes who asks, as a short hash that only this server's secret gives. */
export function noteOwner(owner: string, secret: Uint8Array): void {
  const context = currentRequest()
  if (!context) return
  // No one waits for an answer by then.
  context.owner = () => createHmac('sha256', secret).update(`log ${owner}`).digest('base64url').slice(0, 10)
}
