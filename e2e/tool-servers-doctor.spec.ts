import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { ScriptedChat } from './support/scripted-chat'

// Servers that a page can't use, in a real browser with real CORS. Each has its own sentence.

interface Asked {
  readonly method: string
  readonly id: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
interface Odd {
  /** The headers that it allows; '*': those that are asked for; null: no CORS at all. */
  readonly allows?: string | null
  readonly answer: (asked: Asked) => void
  readonly finding: string | RegExp
  /** What the button of the finding tests, and what comes of it. */
  readonly offers?: readonly [path: string, finding: RegExp]
}

const json = ({ id, response }: Asked, result: unknown, type = 'application/json') =>
  void response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
const met = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } }
/** Part of each result of 2026. */
const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const lists = (asked: Asked, type?: string) => {
  if (asked.method === 'initialize') return json(asked, met, type)
  if (asked.method === 'tools/list')
    return json(asked, { tools: [{ name: 'a', inputSchema: { type: 'object' } }] }, type)
  asked.response.writeHead(asked.method === '' ? 405 : asked.method.startsWith('notifications/') ? 202 : 400).end()
}
const status =
  (code: number, type = 'text/plain', body = '') =>
  ({ response }: Asked) =>
    void response.writeHead(code, { 'content-type': type }).end(body)
const sse = ({ request, response }: Asked) => {
  if (request.method !== 'GET') return void response.writeHead(405).end()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages?s=1\n\n')
}
const redirect =
  (to: string) =>
  ({ response }: Asked) =>
    void response.writeHead(308, { location: to }).end()

const odd: Readonly<Record<string, Odd>> = {
  '/text/mcp': {
    answer: (asked) => lists(asked, 'text/plain'),
    finding: 'answers as an MCP server, but with the content type “text/plain”',
  },
  '/page': { answer: status(200, 'text/html', '<!doctype html><p>Hi'), finding: 'answers with a web page' },
  '/missing/mcp': { answer: status(404), finding: 'answers with status 404' },
  '/api/home': {
    answer: status(404),
    finding: /has no MCP server at this address, but one answers at http:\/\/127/,
    offers: ['/api/home/mcp', /1 tool\b/],
  },
  '/api/home/mcp': { answer: lists, finding: /1 tool\b/ },
  '/old/sse': { answer: sse, finding: 'offers only the old transport HTTP+SSE', offers: ['/old/mcp', /1 tool\b/] },
  '/old/mcp': { answer: lists, finding: /1 tool\b/ },
  '/alone/sse': { answer: sse, finding: 'ask its operator for a streamable HTTP address' },
  '/away/sse': {
    answer: ({ request, response }) => {
      if (request.method !== 'GET') return void response.writeHead(405).end()
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('event: endpoint\ndata: https://evil.example/m\n\n')
    },
    finding: 'but wants messages sent to evil.example. Messages go only to the server that you added.',
  },
  '/slash': { answer: redirect('/slash/'), finding: 'redirects this address', offers: ['/slash/', /1 tool\b/] },
  '/slash/': { answer: lists, finding: /1 tool\b/ },
  '/away': { answer: redirect('/elsewhere/mcp'), finding: 'redirects this address, and a page can’t see where' },
  '/away/': { answer: redirect('/elsewhere/mcp'), finding: 'redirects this address, and a page can’t see where' },
  '/keyless/mcp': { answer: status(401), finding: 'needs a sign-in' },
  '/shut/mcp': { answer: status(403), finding: 'refuses this site (status 403)' },
  '/busy/mcp': { answer: status(429), finding: 'failed with status 429' },
  '/ill/mcp': { answer: status(503), finding: 'failed with status 503' },
  '/hidden/mcp': { allows: null, answer: lists, finding: 'this site may not read the response' },
  '/no-json/mcp': {
    allows: 'accept',
    answer: lists,
    finding: /does not accept these headers from this site:.*content-type/,
  },
  '/no-version/mcp': {
    allows: 'content-type, mcp-method, mcp-name, mcp-session-id',
    answer: lists,
    finding: /does not accept these headers from this site: mcp-protocol-version, last-event-id\./,
  },
  // Its list would be read, and each call would fail.
  '/no-name/mcp': {
    allows: 'content-type, mcp-protocol-version, mcp-method',
    answer: (asked) =>
      asked.method === 'server/discover'
        ? json(asked, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...cached })
        : asked.method === 'tools/list'
          ? json(asked, { tools: [{ name: 'a', inputSchema: { type: 'object' } }], ...cached })
          : asked.response.writeHead(400).end(),
    finding: /does not accept these headers from this site: mcp-name\./,
  },
  '/no-name-both/mcp': {
    allows: 'content-type, mcp-protocol-version, mcp-method',
    answer: (asked) =>
      asked.method === 'server/discover'
        ? json(asked, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...cached })
        : lists(asked),
    finding: /1 tool, version 2025-11-25/,
  },
  '/rejects/mcp': {
    answer: ({ id, response }) =>
      void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'Your plan has ended' } })),
    finding: 'rejects the connection: Your plan has ended',
  },
  '/listless/mcp': {
    answer: (asked) => (asked.method === 'tools/list' ? json(asked, { tools: 'all' }) : lists(asked)),
    finding: 'its list of tools can’t be read',
  },
}

test('each server that can’t be used has a finding of its own @nightly', async ({ page }) => {
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const path = request.url ?? ''
      const one = odd[path]
      const allows = one?.allows === undefined ? '*' : one.allows
      if (allows !== null) {
        const wanted = request.headers['access-control-request-headers'] ?? ''
        response.setHeader('access-control-allow-origin', '*')
        response.setHeader('access-control-allow-headers', allows === '*' ? wanted : allows)
        response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
      }
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      if (!one) return void response.writeHead(404).end()
      let said: { method?: string; id?: number } = {}
      try {
        said = JSON.parse(Buffer.concat(parts).toString()) as typeof said
      } catch {
        // A check without a message.
      }
      one.answer({ method: said.method ?? '', id: said.id ?? 0, request, response })
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await ScriptedChat.open(page, ['Hello.'])
    await page.getByRole('button', { name: 'Chat settings' }).click()
    const drawer = page.getByRole('dialog', { name: 'Chat settings' })
    await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
    await drawer.getByRole('button', { name: 'Tool servers…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })
    const field = dialog.getByRole('textbox', { name: 'Address or JSON' })
    const found = dialog.getByRole('alert').or(dialog.getByRole('status').filter({ hasText: /tool|sign-in/ }))
    for (const [path, { finding, offers }] of Object.entries(odd)) {
      await test.step(path, async () => {
        // As Zed keeps a program that only connects.
        await field.fill(
          `// ${path}\n{"context_servers": {"odd": {"command": "npx", "args": ["mcp-remote", "${base}${path}"],},}}`,
        )
        await dialog.getByRole('button', { name: 'Test', exact: true }).click()
        await expect(found).toContainText(finding, { timeout: 30_000 })
        if (!offers) return
        await dialog.getByRole('button', { name: `Test ${base}${offers[0]}` }).click()
        await expect(field).toHaveValue(`${base}${offers[0]}`)
        await expect(found).toContainText(offers[1], { timeout: 30_000 })
      })
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
