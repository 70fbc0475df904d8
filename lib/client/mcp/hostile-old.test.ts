import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { flood } from '@/lib/shared/mcp/testing/hostile-server'
import { openPage } from './testing/page'

/* Hostile servers of 2024-11-05 (HTTP+SSE), over real HTTP and through the page's own code. */

const META = '_meta'

interface Old {
  /** Sends text on the session's stream. */
  readonly write: (text: string) => void
  readonly stream: ServerResponse
  readonly asked: ServerResponse
  readonly id: number
  readonly token: unknown
}
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`
const said = (id: unknown, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })

/** Honest until a call. */
async function startOld(call: (old: Old) => void, headers: Record<string, string> = {}) {
  let stream: ServerResponse | null = null
  let streams = 0
  const posts: string[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {})
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    if (request.method === 'GET' && request.url === '/sse') {
      streams += 1
      stream = response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      response.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    if (request.url !== '/messages') return void response.writeHead(404).end()
    posts.push(body)
    const { id, method, params } = JSON.parse(body) as Rpc
    const out = stream as unknown as ServerResponse
    const write = (text: string) => void out.write(text)
    if (method === 'tools/call') {
      return call({ write, stream: out, asked: response, id: id as number, token: params?.[META]?.progressToken })
    }
    response.writeHead(202).end('Accepted')
    const result =
      method === 'initialize'
        ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } }
        : { tools: [{ name: 'act', inputSchema: { type: 'object' } }] }
    if (id !== undefined && method !== undefined) write(event({ jsonrpc: '2.0', id, result }))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `${base}/sse`, base, posts, streams: () => streams }
}
interface Rpc {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [META]?: { readonly progressToken?: unknown } }
}
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const notKnown = { ok: false, reason: 'not-known' }
it.each<[string, (old: Old) => void, object]>([
  [
    'answers before it accepts',
    ({ write, asked, id }) => (write(event(said(id, 'early'))), void asked.writeHead(202).end()),
    { ok: true, result: 'early' },
  ],
  [
    'answers and never accepts',
    ({ write, id }) => write(event(said(id, 'only here'))),
    { ok: true, result: 'only here' },
  ],
  [
    'accepts with a body that never ends',
    ({ write, asked, id }) => {
      asked.writeHead(202)
      flood(asked, 100_000_000, ' '.repeat(1_000_000))
      write(event(said(id, 'done')))
    },
    { ok: true, result: 'done' },
  ],
  [
    'answers in the body of the request',
    ({ asked, id }) => (
      asked.writeHead(200, { 'content-type': 'application/json' }),
      void asked.end(JSON.stringify(said(id, 'here')))
    ),
    { ok: false, reason: 'timed-out' },
  ],
  [
    'answers another id',
    ({ write, asked, id }) => (asked.writeHead(202).end(), write(event(said(id + 1_000, 'not yours')))),
    { ok: false, reason: 'timed-out' },
  ],
  [
    'answers twice',
    ({ write, asked, id }) => (asked.writeHead(202).end(), write(event(said(id, 'first')) + event(said(id, 'second')))),
    { ok: true, result: 'first' },
  ],
  [
    'answers with its id as a text',
    ({ write, asked, id }) => (asked.writeHead(202).end(), write(event(said(String(id), 'as text')))),
    { ok: true, result: 'as text' },
  ],
  [
    'answers byte by byte, in lines that end in CR LF',
    ({ stream, asked, id }) => {
      asked.writeHead(202).end()
      for (const byte of event(said(id, '北京')).replaceAll('\n', '\r\n')) stream.write(byte)
    },
    { ok: true, result: '北京' },
  ],
  ['ends its stream', ({ stream, asked }) => (asked.writeHead(202).end(), void stream.end()), notKnown],
  [
    'ends its stream inside of an event',
    ({ stream, asked }) => (asked.writeHead(202).end(), void stream.end('data: {"jsonrpc"')),
    notKnown,
  ],
  ['breaks its stream', ({ stream, asked }) => (asked.writeHead(202).end(), void stream.destroy()), notKnown],
  [
    'breaks its stream and wants another at once',
    ({ stream, asked }) => (asked.writeHead(202).end(), void stream.end('retry: 0\nid: 1\ndata: \n\n')),
    notKnown,
  ],
  ['breaks the request', ({ asked }) => void asked.destroy(), notKnown],
  [
    'names another endpoint elsewhere',
    ({ write, asked }) => (
      asked.writeHead(202).end(),
      write('event: endpoint\ndata: http://169.254.169.254/latest\n\n')
    ),
    notKnown,
  ],
  [
    'sends a stream of comments without end',
    ({ stream, asked }) => (asked.writeHead(202).end(), flood(stream, 100_000_000, `: ${' '.repeat(1_000_000)}\n\n`)),
    { ok: false, reason: 'too-large' },
  ],
  [
    'sends an event without end',
    ({ stream, asked }) => (asked.writeHead(202).end(), flood(stream, 100_000_000, `data: ${' '.repeat(1_000_000)}`)),
    { ok: false, reason: 'too-large' },
  ],
  [
    'sends answers to nobody without end',
    ({ stream, asked }) => (
      asked.writeHead(202).end(),
      flood(stream, 100_000_000, event(said(99_999, 'x'.repeat(1_000_000))))
    ),
    { ok: false, reason: 'too-large' },
  ],
  [
    'asks back for what is not offered',
    ({ write, asked, id }) => {
      asked.writeHead(202).end()
      for (const method of ['sampling/createMessage', 'roots/list', 'tools/call', 'server/discover'])
        write(event({ jsonrpc: '2.0', id: `their ${method}`, method, params: { messages: [], maxTokens: 9 } }))
      write(event(said(id, 'done')))
    },
    { ok: true, result: 'done' },
  ],
  [
    'reports progress thousands of times',
    ({ write, asked, id, token }) => {
      asked.writeHead(202).end()
      const one = event({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1 },
      })
      write(one.repeat(5_000))
      write(event(said(id, 'done')))
    },
    { ok: true, result: 'done' },
  ],
  [
    'sends other events and no JSON',
    ({ write, asked, id }) => (
      asked.writeHead(202).end(),
      write(`event: ping\ndata: x\n\ndata: {{\n\n:\n\n${event(said(id, 'done'))}`)
    ),
    { ok: true, result: 'done' },
  ],
  [
    'refuses with a web page',
    ({ asked }) => void asked.writeHead(500, { 'content-type': 'text/html' }).end('<p>'),
    { ok: false, reason: 'http' },
  ],
  ['wants a sign-in', ({ asked }) => void asked.writeHead(401).end(), { ok: false, reason: 'sign-in' }],
])('an old server that %s gets the call once, and its card says so', async (_how, call, outcome) => {
  const server = await startOld(call)
  const page = openPage((input, init) => fetch(input, init))
  const approved = (await page.review(server.url)).pending.map((one) => one.tool)
  await page.approve(server.url, approved)
  // Long, unless it is waited for: 16 MB take a while on a busy machine.
  const timeoutMs = 'reason' in outcome && outcome.reason === 'timed-out' ? 1_500 : 60_000
  expect(await page.run('fs_act', { timeoutMs })).toMatchObject(outcome)
  expect(server.posts.filter((body) => body.includes('"tools/call"') && body.includes('"arguments"'))).toHaveLength(1)
})

it.each([301, 302, 303, 307, 308])('an old server that redirects a call (%i) is not followed', async (status) => {
  const thief = await startOld(() => {})
  const server = await startOld(
    ({ asked }) => void asked.writeHead(status, { location: `${thief.base}/messages` }).end(),
  )
  const page = openPage((input, init) => fetch(input, init))
  await page.approve(
    server.url,
    (await page.review(server.url)).pending.map((one) => one.tool),
  )
  expect(await page.run('fs_act')).toMatchObject(notKnown)
  expect(thief.posts).toEqual([])
})

it('an old server that begins with 100 MB instead of its endpoint is not connected to', async () => {
  const server = createServer((request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    flood(response, 100_000_000, 'x'.repeat(1_000_000))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  const page = openPage((input, init) => fetch(input, init))
  expect(await page.test(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`)).toMatchObject({ ok: false })
})
