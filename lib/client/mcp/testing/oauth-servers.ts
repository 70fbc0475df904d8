import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import Provider, { errors } from 'oidc-provider'
import { z } from 'zod'

/** A tool server whose tools require a sign-in, and the authorization server (oidc-provider) that it names. */
export interface OAuthServers {
  /** The tool server's address: `http://127.0.0.1:PORT/mcp`. */
  readonly url: string
  readonly issuer: string
  /** Calls that ran, as `name text`. */
  readonly ran: readonly string[]
  /** Requests to both, as `as POST /token`, `mcp POST Bearer`. */
  readonly log: readonly string[]
  /** Every token that was issued. */
  readonly tokens: readonly string[]
  /** From now on the tool server refuses all tokens that were issued before. */
  endTokens(): void
  /** From now on no refresh token is valid either. */
  endSignIns(): Promise<void>
  /** What a user does in the window: signs in and agrees. Resolves with the address that the window ends at. */
  signInAt(address: string): Promise<URL>
  close(): Promise<void>
}

export interface OAuthFaults {
  /** Changes the authorization server's metadata. */
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Changes the tool server's sign-in metadata. */
  readonly resource?: (resource: Record<string, unknown>) => Record<string, unknown>
  /** The only address where the tool server describes its sign-in. */
  readonly describedAt?: string
  /** Tokens are bound to a key, and proofs carry a nonce of the authorization server. */
  readonly dpop?: boolean
  /** The tool server answers calls with a redirect there. */
  readonly movesTo?: string
  /** The token endpoint redirects there. */
  readonly tokensMoveTo?: string
  /** Only apps sign in: the client `robot` with the secret `robot's secret`. */
  readonly forApps?: boolean
  /** Where the window may return to, for the client `pasted`. */
  readonly redirectTo?: string
}

const cors = (request: IncomingMessage, response: ServerResponse): boolean => {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', 'www-authenticate, dpop-nonce, mcp-session-id')
  if (request.method !== 'OPTIONS') return false
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.writeHead(204).end()
  return true
}

async function listening(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

export async function startOAuthServers(faults: OAuthFaults = {}): Promise<OAuthServers> {
  const ran: string[] = []
  const log: string[] = []
  const tokens: string[] = []
  const ended = new Set<string>()
  let callback: ReturnType<Provider['callback']> | null = null

  const as = await listening(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://a')
    log.push(`as ${request.method} ${pathname}`)
    if (cors(request, response)) return
    if (pathname.startsWith('/.well-known/') && faults.metadata && request.headers['x-plain'] === undefined) {
      const plain = await fetch(`${issuer}${pathname}`, { headers: { 'x-plain': '1' } })
      const metadata = faults.metadata((await plain.json()) as Record<string, unknown>)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(metadata))
      return
    }
    if (pathname === '/token' && faults.tokensMoveTo !== undefined) {
      response.writeHead(307, { location: faults.tokensMoveTo }).end()
      return
    }
    await callback?.(request, response)
  })
  const issuer = as.origin
  const mcpHandler = createMcpHandler(() => {
    const made = new McpServer({ name: 'archive', title: 'Archive', version: '1.0.0' })
    made.registerTool(
      'find',
      {
        description: 'Finds a sheet.',
        inputSchema: z.object({ text: z.string() }),
        annotations: { readOnlyHint: true },
      },
      ({ text }) => {
        ran.push(`find ${text}`)
        return { content: [{ type: 'text', text: `Sheet 4 shows ${text}.` }] }
      },
    )
    return made
  })
  const mcp = await listening(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://a')
    if (cors(request, response)) return
    const resource = `${mcp.origin}/mcp`
    const { describedAt = '/.well-known/oauth-protected-resource/mcp' } = faults
    const described = `${mcp.origin}${describedAt}`
    if (pathname === describedAt) {
      log.push(`mcp GET ${pathname}`)
      const said = {
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['maps'],
        ...(faults.dpop === true && { dpop_signing_alg_values_supported: ['ES256'] }),
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(faults.resource?.(said) ?? said))
      return
    }
    if (pathname !== '/mcp') {
      response.writeHead(404).end()
      return
    }
    const body = await bodyOf(request)
    const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ')
    log.push(`mcp ${request.method} ${scheme}${request.headers['dpop'] ? ' with a proof' : ''}`)
    const { AccessToken, ClientCredentials } = provider
    const found = faults.forApps === true ? ClientCredentials.find(token) : AccessToken.find(token)
    const access = token === '' ? undefined : await found
    const isGood = access && !access.isExpired && !ended.has(token) && access.aud === resource
    if (!isGood || (access.jkt !== undefined && (scheme !== 'DPoP' || !request.headers['dpop']))) {
      const name = faults.dpop === true ? 'DPoP' : 'Bearer'
      response.setHeader('www-authenticate', `${name} resource_metadata="${described}", scope="maps"`)
      response.writeHead(401).end()
      return
    }
    if (faults.movesTo !== undefined && body.includes('tools/call')) {
      response.writeHead(307, { location: faults.movesTo }).end()
      return
    }
    const answer = await mcpHandler.fetch(
      new Request(resource, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
        ...(body.length > 0 && { body: new Uint8Array(body) }),
      }),
    )
    response.writeHead(answer.status, [...answer.headers].flat())
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  const url = `${mcp.origin}/mcp`

  const provider = new Provider(issuer, {
    clientDefaults: { token_endpoint_auth_method: 'none' },
    clients: [
      ...(faults.redirectTo === undefined ? [] : [pastedClient(faults.redirectTo)]),
      ...(faults.forApps === true ? [robot] : []),
    ],
    scopes: ['maps', 'offline_access'],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: faults.forApps === true },
      dPoP: {
        enabled: faults.dpop === true,
        ...(faults.dpop === true && { nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true }),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo(_context, resource) {
          if (resource !== url) throw new errors.InvalidTarget()
          return { scope: 'maps', audience: url, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
        },
      },
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    cookies: { keys: ['a key of a test'] },
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    ttl: { Interaction: 600, Session: 600, Grant: 600 },
  })
  callback = provider.callback()
  const note = (token: { readonly value?: string; readonly jti: string }) => void tokens.push(token.jti)
  provider.on('access_token.issued', note)
  provider.on('access_token.saved', note)
  provider.on('client_credentials.saved', note)
  provider.on('client_credentials.issued', note)
  provider.on('refresh_token.saved', note)

  return {
    url,
    issuer,
    ran,
    log,
    tokens,
    endTokens: () => tokens.forEach((token) => ended.add(token)),
    async endSignIns() {
      for (const token of tokens) {
        ended.add(token)
        await (await provider.RefreshToken.find(token))?.destroy()
      }
    },
    signInAt: walkThrough,
    async close() {
      for (const { server } of [as, mcp]) {
        server.closeAllConnections()
        server.close()
      }
      await mcpHandler.close()
    },
  }
}

const robot = {
  client_id: 'robot',
  client_secret: "robot's secret",
  redirect_uris: [],
  grant_types: ['client_credentials'],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_basic' as const,
}

const pastedClient = (redirectTo: string) => ({
  client_id: 'pasted',
  redirect_uris: [redirectTo],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code' as const],
  token_endpoint_auth_method: 'none' as const,
  application_type: 'native' as const,
})

/** Follows the pages of the authorization server as a browser would, with its cookies. */
async function walkThrough(address: string): Promise<URL> {
  const jar = new Map<string, string>()
  const origin = new URL(address).origin
  let next = address
  let form: URLSearchParams | null = null
  for (let step = 0; step < 20; step += 1) {
    const response: Response = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    form = null
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to = response.headers.get('location')
    if (to !== null) {
      const target = new URL(to, next)
      if (target.origin !== origin) return target
      next = target.href
      continue
    }
    const html = await response.text()
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1]
    if (action === undefined) throw new Error(`no form at ${next}: ${response.status} ${html.slice(0, 300)}`)
    next = new URL(action.replaceAll('&amp;', '&'), next).href
    const prompt = /name="prompt"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? 'login'
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: 'ada', password: 'x' } : { prompt })
  }
  throw new Error('the sign-in does not end')
}
