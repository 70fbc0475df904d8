import type { IncomingMessage, ServerResponse } from 'node:http'
import { t } from '@/lib/i18n/t'
import { withoutBasePath } from '@/lib/base/base-path'
import { pathHeader } from '@/lib/server/http/access'
import { routePattern } from '@/lib/server/http/request-names'
import { appHeaders, dataHeaders } from '@/lib/server/http/response-headers'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Where files are, and nothing else: what the build did not put there is not there. Each has its own policy, so no page is shown. */
const FILES =
  /^\/(?:_next\/static|workers|sandbox-libs|drawing|icons)\/|^\/_next\/image(?:\/|$)|^\/(?:sandbox|show|run|diagram|wllama)\.html$|^\/(?:favicon\.ico|sw\.js|sw-off\.js|robots\.txt)$/

type Reason = 'server.bad-address' | 'server.bad-method' | 'server.nothing-here'

interface Refused {
  readonly status: 400 | 404 | 405
  readonly code: string
  readonly reason: Reason
}

const badAddress: Refused = { status: 400, code: 'bad-request', reason: 'server.bad-address' }
const nothingHere: Refused = { status: 404, code: 'not-found', reason: 'server.nothing-here' }

/**
 * Why a request is refused before anything reads it; null: it is an ordinary one. Browsers send the path of an address to its own server.
 * An absolute address (`GET http://elsewhere/`) would be redirected to wherever it says, and a broken escape or an unknown method
 * ends deep inside the framework as an error of the server. `base`: the path for which the release was built.
 */
export function oddRequest(method: string, url: string, base = ''): Refused | null {
  if (!METHODS.includes(method)) return { status: 405, code: 'bad-request', reason: 'server.bad-method' }
  // `//elsewhere` and `/\elsewhere` are absolute addresses, too, to anyone who resolves them.
  if (!/^\/(?![/\\])/.test(url)) return badAddress
  const [path = '/'] = url.split('?', 1)
  if (!isDecodable(path)) return badAddress
  const plain = withoutBasePath(path, base)
  if (plain.startsWith('/api/') && routePattern(plain) === 'other') return nothingHere
  return null
}

/** To be asked when no file of the build was found for this path. */
export const missingFile = (url: string, base = ''): Refused | null =>
  FILES.test(withoutBasePath(url.split('?', 1)[0] ?? '/', base)) ? nothingHere : null

/** Answers with a sentence, by the policy that data has; the connection ends with it where there is a body that no one reads. */
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

/** Headers that only the server itself writes on a request: the framework would print a visitor's nonce into its pages. */
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
