import type { IncomingMessage, ServerResponse } from 'node:http'
import { t } from '@/lib/i18n/t'
import { withoutBasePath } from '@/lib/base/base-path'
import { pathHeader } from '@/lib/server/http/access'
import { routePattern } from '@/lib/server/http/request-names'
import { appHeaders, dataHeaders } from '@/lib/server/http/response-headers'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Folders that contain only files: a file that the build did not put there is missing. Each file has its own policy, so
 * no page is shown.
 */
const FILES =
  /^\/(?:_next\/static|workers|sandbox-libs|drawing|icons)\/|^\/_next\/image(?:\/|$)|^\/(?:sandbox|show|run|diagram|wllama)\.html$|^\/(?:favicon\.ico|sw\.js|sw-off\.js|robots\.txt)$/

type Reason = 'server.bad-address' | 'server.bad-method' | 'server.nothing-here'

interface Refused {
  readonly status: 400 | 404 | 405
  readonly code: string
  readonly reason: Reason
}

const badAddress: Refused = { status: 400, code: 'bad-request', reason: 'server.bad-address' }
const notFoundRefusal: Refused = { status: 404, code: 'not-found', reason: 'server.nothing-here' }

/**
 * Why a request is refused before anything reads it; null: it is ordinary. Browsers send a URL's path to its own
 * server. An absolute URL (`GET http://elsewhere/`) would be redirected there, and an invalid escape or an unknown
 * method would fail deep inside the framework as a server error. `base`: the path that the release was built for.
 */
export function refusedRequest(method: string, url: string, base = ''): Refused | null {
  if (!METHODS.includes(method)) return { status: 405, code: 'bad-request', reason: 'server.bad-method' }
  // `//elsewhere` and `/\elsewhere` are absolute URLs, too, for anyone who resolves them.
  if (!/^\/(?![/\\])/.test(url)) return badAddress
  const [path = '/'] = url.split('?', 1)
  if (!isDecodable(path)) return badAddress
  const plain = withoutBasePath(path, base)
  if (plain.startsWith('/api/') && routePattern(plain) === 'other') return notFoundRefusal
  return null
}

/** Call it if no file of the build was found for this path. */
export const missingFile = (url: string, base = ''): Refused | null =>
  FILES.test(withoutBasePath(url.split('?', 1)[0] ?? '/', base)) ? notFoundRefusal : null

/**
 * Responds with a sentence under the policy for data; closes the connection if the request has a body that nobody
 * reads.
 */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, reason }: Refused,
  base = '',
): void {
  const message = t(reason)
  const isData = withoutBasePath(request.url ?? '', base).startsWith('/api/')
  for (const { key, value } of [...appHeaders, ...dataHeaders]) response.setHeader(key, value)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('content-type', isData ? 'application/json' : 'text/plain; charset=utf-8')
  if (status === 405) response.setHeader('allow', METHODS.join(', '))
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    response.shouldKeepAlive = false
  response.statusCode = status
  response.end(isData ? JSON.stringify({ error: { code, reason, values: {}, message } }) : `${message}\n`)
}

/** Request headers that only the server itself sets: the framework would print a visitor's nonce into its pages. */
const OWN_HEADERS = ['content-security-policy', 'content-security-policy-report-only', pathHeader]

export function dropOwnHeaders({ headers }: IncomingMessage): void {
  for (const name of OWN_HEADERS) delete headers[name]
}

function isDecodable(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
