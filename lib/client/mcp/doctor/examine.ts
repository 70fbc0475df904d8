import { type PageFacts, isLoopback } from '@/lib/client/browser-models/doctor/examine'
import type { ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { RemoteServer } from '../remote-server'
import type { DoctorResponse, DoctorRequest } from '../worker-messages'
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
  | { readonly found: 'redirects'; readonly instead: string }
  | { readonly found: 'sign-in' }
  | { readonly found: 'forbidden' }
  | { readonly found: 'not-mcp'; readonly status: number; readonly isHtml: boolean }
  | { readonly found: 'server-error'; readonly status: number }

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
    const { method = 'POST', body = null, how = 'cors', send = {} } = request
    const tried = await server.ask({ url, method, headers: Object.entries(send), body, how }, signal)
    signal.throwIfAborted()
    return tried.ok ? { answer: tried.value } : { failed: tried.failure.kind }
  }

  const full = await ask({ send: modern, body: discover })
  if ('answer' in full) return (await readable(full.answer)) ?? whatAnswers(full.answer)
  if (full.failed === 'blocked') return { found: 'not-allowed' }
  return whyUnread()

  /** Null: its response to the first request is fine. */
  async function readable({ status, text }: DoctorResponse): Promise<McpFinding | null> {
    if (status === 401) return { found: 'sign-in' }
    if (/"supportedVersions"/.test(text)) return null
    const first = await ask({ send: json, body: initialize })
    if (!('answer' in first) || !/"protocolVersion"/.test(first.answer.text)) return null
    const session = first.answer.headers.find(([name]) => name === 'mcp-session-id')
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })
    const send = { ...json, 'mcp-protocol-version': '2025-11-25', ...(session && { 'mcp-session-id': session[1] }) }
    const second = await ask({ send, body: list })
    if ('failed' in second) {
      return { found: 'headers-refused', headers: ['mcp-protocol-version', ...(session ? ['mcp-session-id'] : [])] }
    }
    return !session && second.answer.status === 400 ? { found: 'session-hidden' } : null
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
    // A request without a preflight: may its response be read?
    const plain = { send: { 'content-type': 'text/plain' }, body: '{}' }
    const moved = await ask({ ...plain, how: 'manual' })
    if ('answer' in moved && moved.answer.isRedirect) {
      return { found: 'redirects', instead: url.endsWith('/') ? url.slice(0, -1) : `${url}/` }
    }
    const read = await ask(plain)
    if ('failed' in read) return { found: 'no-cors' }
    // Each header alone. None of these requests has an effect on a server.
    const refused: string[] = []
    for (const [name, value] of Object.entries(modern)) {
      if (name === 'accept') continue
      const tried = await ask({ send: { 'content-type': 'text/plain', [name]: value }, body: '{}' })
      if ('failed' in tried) refused.push(name)
    }
    return refused.length > 0 ? { found: 'headers-refused', headers: refused } : { found: 'no-cors' }
  }
}

function whatAnswers({ status, text }: DoctorResponse): McpFinding {
  if (status === 403) return { found: 'forbidden' }
  if (status >= 500) return { found: 'server-error', status }
  return { found: 'not-mcp', status, isHtml: /^\s*<(?:!doctype|html)/i.test(text) }
}

/** A text to paste, with where it goes. */
export interface Fix {
  readonly how: string
  readonly paste: string
}

export interface ServerAdvice {
  readonly message: string
  readonly fixes: readonly Fix[]
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
      return { message: t('servers.found.redirects', { host, instead: asUntrusted(finding.instead) }), fixes: [] }
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
      return { message: t(`servers.found.${finding.found}`, { host }), fixes: [] }
  }
}

/** All headers of both protocol versions, so the missing ones are among them. */
const ALLOW = [
  'Content-Type',
  'Authorization',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Last-Event-ID',
]

const corsFixes = (origin: string): readonly Fix[] => [
  {
    how: 'Express',
    paste: [
      'app.use(cors({',
      `  origin: '${origin}',`,
      `  allowedHeaders: [${ALLOW.map((name) => `'${name}'`).join(', ')}],`,
      "  exposedHeaders: ['Mcp-Session-Id'],",
      '}))',
    ].join('\n'),
  },
  {
    how: 'FastMCP',
    paste: [
      'app = mcp.http_app(middleware=[Middleware(CORSMiddleware,',
      `  allow_origins=["${origin}"], allow_methods=["GET", "POST", "DELETE"],`,
      `  allow_headers=[${ALLOW.map((name) => `"${name}"`).join(', ')}],`,
      '  expose_headers=["Mcp-Session-Id"])])',
    ].join('\n'),
  },
  {
    how: 'nginx',
    paste: [
      `add_header Access-Control-Allow-Origin "${origin}" always;`,
      'add_header Access-Control-Allow-Methods "GET, POST, DELETE, OPTIONS" always;',
      `add_header Access-Control-Allow-Headers "${ALLOW.join(', ')}" always;`,
      'add_header Access-Control-Expose-Headers "Mcp-Session-Id" always;',
      'if ($request_method = OPTIONS) { return 204; }',
    ].join('\n'),
  },
]

/** Shows the server's preflight response, which a page may not see. */
const curl = (url: string, origin: string): Fix => ({
  how: t('servers.curl'),
  paste: `curl -i -X OPTIONS '${url.replaceAll("'", '%27')}' -H 'Origin: ${origin}' -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: content-type,mcp-method,mcp-protocol-version'`,
})
