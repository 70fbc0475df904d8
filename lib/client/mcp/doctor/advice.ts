import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { McpFinding } from './examine'

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
