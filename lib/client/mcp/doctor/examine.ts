import { type PageFacts, isLoopback } from '@/lib/client/browser-models/doctor/examine'
import type { ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { RemoteServer } from '../remote-server'
import type { DoctorResponse, DoctorRequest } from '../worker-messages'
import { isRecord } from '@/lib/base/json'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'

/** Why this page could not connect to a server, found by asking in other ways. */
export type McpFinding =
  /** The operator's settings do not let pages of this app go there. */
  | { readonly found: 'not-allowed' }
  | { readonly found: 'unreachable' }
  | { readonly found: 'silent' }
  /** An https page may use http only for this machine. */
  | { readonly found: 'mixed-content' }
  | { readonly found: 'local-network-denied' }
  | { readonly found: 'local-network-asks' }
  /**
   * Something answers, and this page may not read it: no CORS, or a refusal without it. A page can't tell these apart.
   */
  | { readonly found: 'no-cors' }
  /** This page may read responses, but the server does not let it send these headers. */
  | { readonly found: 'headers-refused'; readonly headers: readonly string[] }
  /** A session was begun whose id this page may not read. */
  | { readonly found: 'session-hidden' }
  /** `instead`: the address that it probably leads to; a page can't see it. */
  | { readonly found: 'redirects'; readonly instead: string | null }
  /**
   * The transport before 2025, and its connection failed. `to`: another host, which its messages would go to.
   * `instead`: a current address of the same server.
   */
  | { readonly found: 'only-sse'; readonly to: string | null; readonly instead: string | null }
  | { readonly found: 'elsewhere'; readonly instead: string }
  | { readonly found: 'content-type'; readonly type: string }
  /** It answers with an error of the protocol. */
  | { readonly found: 'refuses'; readonly why: string }
  /** It can be met, but its list of tools was not read. */
  | { readonly found: 'no-list' }
  | { readonly found: 'sign-in' }
  | { readonly found: 'forbidden' }
  | { readonly found: 'not-mcp'; readonly status: number; readonly isHtml: boolean }
  | { readonly found: 'server-error'; readonly status: number }

/**
 * The headers of requests to a server that its CORS must allow. A test compares them with those that the client sends
 * to servers of each version.
 */
export const requestHeaders = {
  modern: ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'],
  legacy: ['content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id'],
  signedIn: ['authorization', 'dpop'],
} as const

/** Their values in a check. None is a secret. */
const checkValues: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-11-25',
  authorization: 'Bearer 0',
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const modern = { ...json, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' }
const discover = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'nod', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'nod', version: '1' } },
})

const plain = { send: { 'content-type': 'text/plain' }, body: '{}' }

type Tried = { readonly answer: DoctorResponse } | { readonly failed: ConnectFailure['kind'] }

/**
 * Checks a server that could not be connected to. No request of the check runs a tool. Rejects with the signal's
 * reason.
 */
export async function examineServer(
  url: string,
  server: Pick<RemoteServer, 'ask'>,
  page: PageFacts,
  signal: AbortSignal,
): Promise<McpFinding> {
  const ask = async (
    request: Partial<DoctorRequest> & { readonly send?: Readonly<Record<string, string>> },
  ): Promise<Tried> => {
    const { url: at = url, method = 'POST', body = null, how = 'cors', send = {} } = request
    const tried = await server.ask({ url: at, method, headers: Object.entries(send), body, how }, signal)
    signal.throwIfAborted()
    return tried.ok ? { answer: tried.value } : { failed: tried.failure.kind }
  }
  const meet = (at: string) => ask({ url: at, send: json, body: initialize })

  const full = await ask({ send: modern, body: discover })
  if ('answer' in full) return whatAnswers(full.answer)
  if (full.failed === 'blocked') return { found: 'not-allowed' }
  return whyUnread()

  async function whatAnswers(answer: DoctorResponse): Promise<McpFinding> {
    if (answer.status === 401) {
      // A sign-in exists but does not arrive.
      const refused = await refusedOf(requestHeaders.signedIn)
      return refused.length > 0 ? { found: 'headers-refused', headers: refused } : { found: 'sign-in' }
    }
    const isModern = /"supportedVersions"/.test(answer.text)
    const first = isModern ? { answer } : await meet(url)
    if (!('answer' in first)) return notThere(answer)
    const met = first.answer
    if (!isModern && !/"protocolVersion"/.test(met.text)) return notThere(met)
    const type = headerOf(met, 'content-type') ?? ''
    if (!/^(?:application\/json|text\/event-stream)\b/i.test(type)) return { found: 'content-type', type }
    if (isModern) {
      const refused = await refusedOf(requestHeaders.modern)
      return refused.length > 0 ? { found: 'headers-refused', headers: refused } : { found: 'no-list' }
    }
    const session = headerOf(met, 'mcp-session-id')
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })
    const ofSession = session === undefined ? {} : { 'mcp-session-id': session }
    const second = await ask({ send: { ...json, 'mcp-protocol-version': '2025-11-25', ...ofSession }, body: list })
    if ('failed' in second) {
      const refused = await refusedOf(requestHeaders.legacy)
      const sent = ['mcp-protocol-version', ...Object.keys(ofSession)]
      return { found: 'headers-refused', headers: refused.length > 0 ? refused : sent }
    }
    return session === undefined && second.answer.status === 400 ? { found: 'session-hidden' } : { found: 'no-list' }
  }

  async function notThere({ status, text }: DoctorResponse): Promise<McpFinding> {
    if (status === 403) return { found: 'forbidden' }
    if (status >= 500 || status === 429) return { found: 'server-error', status }
    const why = errorIn(text)
    if (why !== null) return { found: 'refuses', why }
    const stream = await ask({ method: 'GET', send: { accept: 'text/event-stream' } })
    const endpoint = 'answer' in stream ? endpointIn(stream.answer.text, url) : null
    const instead = await firstServer(otherPaths(url))
    if (endpoint) {
      const isOwn = endpoint.origin === new URL(url).origin
      if (isOwn && instead === null && 'failed' in (await meet(endpoint.href))) {
        const isRead = 'answer' in (await ask({ ...plain, url: endpoint.href }))
        return isRead ? { found: 'headers-refused', headers: ['content-type'] } : { found: 'no-cors' }
      }
      return { found: 'only-sse', to: isOwn ? null : endpoint.host, instead }
    }
    return instead === null
      ? { found: 'not-mcp', status, isHtml: /^\s*<(?:!doctype|html)/i.test(text) }
      : { found: 'elsewhere', instead }
  }

  /** The first of these addresses where an MCP server answers, perhaps after a sign-in. */
  async function firstServer(addresses: readonly string[]): Promise<string | null> {
    for (const at of addresses) {
      const tried = await meet(at)
      if ('answer' in tried && (tried.answer.status === 401 || /"protocolVersion"/.test(tried.answer.text))) return at
    }
    return null
  }

  async function whereTo(): Promise<string | null> {
    const slash = otherSlash(url)
    const tried = slash === null ? null : await ask({ ...plain, url: slash, how: 'manual' })
    if (tried && 'answer' in tried && !tried.answer.isRedirect) return slash
    if (url.startsWith('http:') && !isLoopback(url)) return url.replace('http:', 'https:')
    return tried && 'failed' in tried ? slash : null
  }

  async function whyUnread(): Promise<McpFinding> {
    const any = await ask({ method: 'GET', how: 'no-cors' })
    if ('failed' in any) {
      if (any.failed === 'blocked') return { found: 'not-allowed' }
      if (page.isHttps && url.startsWith('http:') && !isLoopback(url)) return { found: 'mixed-content' }
      if (page.localNetwork === 'denied') return { found: 'local-network-denied' }
      if (page.localNetwork === 'prompt') return { found: 'local-network-asks' }
      return { found: any.failed === 'timeout' ? 'silent' : 'unreachable' }
    }
    // Requests without a preflight: may their responses be read?
    const moved = await ask({ ...plain, how: 'manual' })
    if ('answer' in moved && moved.answer.isRedirect) return { found: 'redirects', instead: await whereTo() }
    if ('failed' in (await ask(plain))) return { found: 'no-cors' }
    const refused = await refusedOf(new Set([...requestHeaders.modern, ...requestHeaders.legacy]))
    return refused.some((name) => name !== 'last-event-id')
      ? { found: 'headers-refused', headers: refused }
      : { found: 'no-cors' }
  }

  /**
   * Which of these headers the server's CORS refuses: each is sent alone, in a request without an effect. Empty also if
   * such a request can't be read without them.
   */
  async function refusedOf(names: Iterable<string>): Promise<readonly string[]> {
    if ('failed' in (await ask(plain))) return []
    const refused: string[] = []
    for (const name of names) {
      const tried = await ask({ ...plain, send: { ...plain.send, [name]: checkValues[name] ?? '0' } })
      if ('failed' in tried) refused.push(name)
    }
    return refused
  }
}

const headerOf = ({ headers }: DoctorResponse, wanted: string): string | undefined =>
  headers.find(([name]) => name === wanted)?.[1]

/** Where a server of the old transport wants messages sent, if this is the beginning of its stream. */
function endpointIn(stream: string, url: string): URL | null {
  const [, data] = /^event: *endpoint\r?\n(?:data: ?(.*))?/m.exec(stream) ?? []
  return data !== undefined && URL.canParse(data.trim(), url) ? new URL(data.trim(), url) : null
}

/** The message of a JSON-RPC error, as JSON or as an event; null: it is none. */
function errorIn(text: string): string | null {
  const [, event] = /^data: ?(.*)$/m.exec(text) ?? []
  try {
    const answer: unknown = JSON.parse(event ?? text)
    if (!isRecord(answer) || !isRecord(answer['error']) || answer['jsonrpc'] !== '2.0') return null
    const { message } = answer['error']
    return typeof message === 'string' ? message.slice(0, 300) : ''
  } catch {
    return null
  }
}

/** Where servers usually are, if there is none at this address. */
function otherPaths(url: string): readonly string[] {
  const { pathname } = new URL(url)
  const own = pathname.replace(/\/(?:sse)?\/?$/, '')
  const paths = new Set([`${own}/mcp`, '/mcp'])
  paths.delete(pathname)
  return [...paths].map((path) => withPath(url, path))
}

/** The same address with a slash at the end of its path, or without; null for an address without a path. */
function otherSlash(url: string): string | null {
  const { pathname } = new URL(url)
  if (pathname === '/') return null
  return withPath(url, pathname.endsWith('/') ? pathname.slice(0, -1) : `${pathname}/`)
}

const withPath = (url: string, pathname: string): string => Object.assign(new URL(url), { pathname }).href

/** A text to paste, with where it goes. */
export interface Fix {
  readonly how: string
  readonly paste: string
}

export interface ServerAdvice {
  readonly message: string
  readonly fixes: readonly Fix[]
  /** An address that may work. */
  readonly instead?: string
}

/** The advice for a finding. `origin`: this page's. */
export function serverAdvice(finding: McpFinding, url: string, origin: string): ServerAdvice {
  const host = asUntrusted(new URL(url).host)
  switch (finding.found) {
    case 'no-cors':
      return { message: t('servers.found.no-cors', { host }), fixes: [...corsFixes(origin), curl(url, origin)] }
    case 'headers-refused':
      return {
        message: t('servers.found.headers-refused', { host, headers: finding.headers }),
        fixes: corsFixes(origin),
      }
    case 'session-hidden':
      return { message: t('servers.found.session-hidden', { host }), fixes: corsFixes(origin) }
    case 'redirects':
      return finding.instead === null
        ? { message: t('servers.found.redirects-away', { host }), fixes: [curlPost(url)] }
        : {
            message: t('servers.found.redirects', { host, instead: asUntrusted(finding.instead) }),
            fixes: [],
            instead: finding.instead,
          }
    case 'elsewhere': {
      const { instead } = finding
      return { message: t('servers.found.elsewhere', { host, instead: asUntrusted(instead) }), fixes: [], instead }
    }
    case 'only-sse': {
      const { instead, to } = finding
      const current = instead !== null
      const message =
        to === null
          ? t('servers.found.only-sse', { host, current })
          : t('servers.found.sse-elsewhere', { host, to: asUntrusted(to), current })
      return { message, fixes: [], ...(instead !== null && { instead }) }
    }
    case 'content-type':
      return { message: t('servers.found.content-type', { host, type: asUntrusted(finding.type) }), fixes: [] }
    case 'refuses':
      return { message: t('servers.found.refuses', { host, why: asUntrusted(finding.why) }), fixes: [] }
    case 'not-mcp':
      return { message: t('servers.found.not-mcp', { host, html: finding.isHtml, status: finding.status }), fixes: [] }
    case 'server-error':
      return { message: t('servers.found.server-error', { host, status: finding.status }), fixes: [] }
    case 'mixed-content':
    case 'not-allowed':
    case 'unreachable':
    case 'silent':
    case 'local-network-denied':
    case 'local-network-asks':
    case 'sign-in':
    case 'forbidden':
    case 'no-list':
      return { message: t(`servers.found.${finding.found}`, { host }), fixes: [] }
  }
}

/** `mcp-name` → `Mcp-Name`. */
const written = (name: string): string =>
  ({ 'last-event-id': 'Last-Event-ID', dpop: 'DPoP' })[name] ??
  name.replaceAll(/\b[a-z]/g, (first) => first.toUpperCase())

/** All headers of both protocol versions, so the missing ones are among them. */
const ALLOW = [...new Set(Object.values(requestHeaders).flat())].map(written)
/** The headers of responses that the client reads and that CORS hides by default. */
const EXPOSE = ['Mcp-Session-Id', 'WWW-Authenticate', 'DPoP-Nonce']

const corsFixes = (origin: string): readonly Fix[] => [
  {
    how: 'Express',
    paste: [
      'app.use(cors({',
      `  origin: '${origin}',`,
      `  allowedHeaders: [${ALLOW.map((name) => `'${name}'`).join(', ')}],`,
      `  exposedHeaders: [${EXPOSE.map((name) => `'${name}'`).join(', ')}],`,
      '}))',
    ].join('\n'),
  },
  {
    how: 'FastMCP',
    paste: [
      'app = mcp.http_app(middleware=[Middleware(CORSMiddleware,',
      `  allow_origins=["${origin}"], allow_methods=["GET", "POST", "DELETE"],`,
      `  allow_headers=[${ALLOW.map((name) => `"${name}"`).join(', ')}],`,
      `  expose_headers=[${EXPOSE.map((name) => `"${name}"`).join(', ')}])])`,
    ].join('\n'),
  },
  {
    how: 'nginx',
    paste: [
      `add_header Access-Control-Allow-Origin "${origin}" always;`,
      'add_header Access-Control-Allow-Methods "GET, POST, DELETE, OPTIONS" always;',
      `add_header Access-Control-Allow-Headers "${ALLOW.join(', ')}" always;`,
      `add_header Access-Control-Expose-Headers "${EXPOSE.join(', ')}" always;`,
      'if ($request_method = OPTIONS) { return 204; }',
    ].join('\n'),
  },
]

/** Shows where the server redirects to, which a page may not see. */
const curlPost = (url: string): Fix => ({
  how: t('servers.curl'),
  paste: `curl -i -X POST '${quoted(url)}' -H 'Content-Type: application/json' -d '{}'`,
})

/** In single quotes of a shell. */
const quoted = (url: string): string => url.replaceAll("'", '%27')

/** Shows the server's preflight response, which a page may not see. */
const curl = (url: string, origin: string): Fix => ({
  how: t('servers.curl'),
  paste: `curl -i -X OPTIONS '${quoted(url)}' -H 'Origin: ${origin}' -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: ${requestHeaders.modern.join(',')}'`,
})
