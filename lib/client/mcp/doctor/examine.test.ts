import { describe, expect, it } from 'vitest'
import type { RemoteServer } from '../remote-server'
import type { DoctorResponse, DoctorRequest } from '../worker-messages'
import { connectMcp } from '../connection'
import {
  eventStream,
  legacyServer,
  modernServer,
  oddServer,
  testAddress,
  type TestServer,
} from '../testing/mcp-servers'
import { examineServer, requestHeaders, serverAdvice, type McpFinding } from './examine'

const page = { origin: 'https://nod.example', isHttps: true, localNetwork: null } as const
const url = 'https://tools.example.org/mcp'

type Given = Partial<DoctorResponse> | 'unread' | 'blocked' | 'timeout'
const answers = (given: Given): Awaited<ReturnType<RemoteServer['ask']>> =>
  typeof given === 'string'
    ? { ok: false, failure: { kind: given } }
    : { ok: true, value: { status: 200, isRedirect: false, headers: [], text: '', ...given } }

/** A server as a browser lets a page see it. */
const examine = (see: (request: DoctorRequest) => Given, at = url, facts: Parameters<typeof examineServer>[2] = page) =>
  examineServer(at, { ask: (request) => Promise.resolve(answers(see(request))) }, facts, new AbortController().signal)

const sends = ({ headers }: DoctorRequest, name: string) => headers.some(([one]) => one === name)
const isPlain = (request: DoctorRequest) => request.headers.every(([, value]) => value === 'text/plain')
const isJson = [['content-type', 'application/json']] as const
const events = [['content-type', 'text/event-stream']] as const
const initialized = { text: '{"result":{"protocolVersion":"2025-11-25"}}', headers: isJson }

describe('the connection doctor', () => {
  it.each<[string, (request: DoctorRequest) => Given, McpFinding]>([
    ['the operator does not allow the host', () => 'blocked', { found: 'not-allowed' }],
    ['nobody answers', () => 'unread', { found: 'unreachable' }],
    ['the server is silent', () => 'timeout', { found: 'silent' }],
    ['it answers without CORS', ({ how }) => (how === 'cors' ? 'unread' : { status: 0 }), { found: 'no-cors' }],
    [
      'it redirects',
      ({ how, url: at }) => (how === 'cors' ? 'unread' : { status: 0, isRedirect: how === 'manual' && at === url }),
      { found: 'redirects', instead: `${url}/` },
    ],
    [
      'it refuses the headers of 2026',
      (request) =>
        request.how !== 'cors' || isPlain(request) || !sends(request, 'mcp-method')
          ? sends(request, 'mcp-method')
            ? 'unread'
            : {}
          : 'unread',
      { found: 'headers-refused', headers: ['mcp-method'] },
    ],
    [
      'it hides its session',
      ({ body }) => (body?.includes('initialize') ? initialized : { status: 400 }),
      { found: 'session-hidden' },
    ],
    ['a sign-in is needed', () => ({ status: 401 }), { found: 'sign-in' }],
    ['it refuses this site', () => ({ status: 403 }), { found: 'forbidden' }],
    ['it is ill', () => ({ status: 502 }), { found: 'server-error', status: 502 }],
    ['a web page answers', () => ({ text: '<!DOCTYPE html><p>' }), { found: 'not-mcp', status: 200, isHtml: true }],
    ['there is nothing', () => ({ status: 404 }), { found: 'not-mcp', status: 404, isHtml: false }],
    [
      'its server is at another path',
      ({ url: at, body }) =>
        at === url ? { status: 404 } : body?.includes('initialize') && at.endsWith('/mcp/mcp') ? initialized : {},
      { found: 'elsewhere', instead: `${url}/mcp` },
    ],
    [
      'only the old transport is there',
      ({ method }) =>
        method === 'GET' ? { text: 'event: endpoint\ndata: /messages\n\n', headers: events } : { status: 405 },
      { found: 'only-sse', to: null, instead: null },
    ],
    [
      'its old transport sends messages elsewhere',
      ({ method }) =>
        method === 'GET'
          ? { text: 'event: endpoint\r\ndata: https://evil.example/m\r\n\r\n', headers: events }
          : { status: 405 },
      { found: 'only-sse', to: 'evil.example', instead: null },
    ],
    [
      'its old transport takes no messages from this site',
      ({ method, url: at, headers }) =>
        method === 'GET'
          ? { text: 'event: endpoint\ndata: /messages?s=1\n\n', headers: events }
          : at.includes('/messages') && headers.some(([, value]) => value === 'application/json')
            ? 'unread'
            : { status: 405 },
      { found: 'headers-refused', headers: ['content-type'] },
    ],
    [
      'its old transport answers without CORS',
      ({ method, url: at }) =>
        method === 'GET'
          ? { text: 'event: endpoint\ndata: /messages?s=1\n\n', headers: events }
          : at.includes('/messages')
            ? 'unread'
            : { status: 405 },
      { found: 'no-cors' },
    ],
    [
      'its answers have no usable type',
      ({ body }) => (body?.includes('initialize') ? { ...initialized, headers: [['content-type', 'text/html']] } : {}),
      { found: 'content-type', type: 'text/html' },
    ],
    ['a type is missing', () => ({ text: '{"supportedVersions":[]}' }), { found: 'content-type', type: '' }],
    [
      'it rejects each client',
      () => ({ status: 400, text: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"No key"}}' }),
      { found: 'refuses', why: 'No key' },
    ],
    [
      'it rejects each client in an event',
      () => ({ text: 'event: message\ndata: {"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"No key"}}\n\n' }),
      { found: 'refuses', why: 'No key' },
    ],
    ['its list can’t be read', () => ({ text: '{"supportedVersions":[]}', headers: isJson }), { found: 'no-list' }],
    ['it is busy', () => ({ status: 429 }), { found: 'server-error', status: 429 }],
    [
      'it would not let a sign-in through',
      (request) => (sends(request, 'authorization') ? 'unread' : { status: 401 }),
      { found: 'headers-refused', headers: ['authorization'] },
    ],
    [
      'it redirects both spellings of its address',
      ({ how }) => (how === 'cors' ? 'unread' : { status: 0, isRedirect: how === 'manual' }),
      { found: 'redirects', instead: null },
    ],
  ])('finds out that %s', async (_what, see, finding) => {
    expect(await examine(see)).toEqual(finding)
  })

  it('tells what the browser forbids from a server that is down', async () => {
    expect(await examine(() => 'unread', 'http://10.0.0.5:3000/mcp')).toEqual({ found: 'mixed-content' })
    expect(await examine(() => 'unread', 'http://127.0.0.1:3000/mcp')).toEqual({ found: 'unreachable' })
    const asks = { ...page, localNetwork: 'prompt' } as const
    expect(await examine(() => 'unread', 'http://127.0.0.1:3000/mcp', asks)).toEqual({ found: 'local-network-asks' })
  })

  it.each([
    ['http://tools.example.org/mcp', 'https://tools.example.org/mcp'],
    ['https://tools.example.org/mcp?key=1', 'https://tools.example.org/mcp/?key=1'],
    ['https://tools.example.org/mcp/', 'https://tools.example.org/mcp'],
    ['https://tools.example.org/', null],
  ])('offers for a redirect of %s what it may lead to', async (at, instead) => {
    const see = ({ how, url: to }: DoctorRequest): Given =>
      how === 'cors' ? 'unread' : how === 'no-cors' ? { status: 0 } : to === at ? { isRedirect: true } : 'unread'
    expect(await examine(see, at, { ...page, isHttps: false })).toEqual({ found: 'redirects', instead })
  })

  /** A server whose CORS does not allow one header, and which answers requests of its version without it. */
  const refusing = (refused: string, isModern: boolean, isShut: boolean) => (request: DoctorRequest) => {
    if (request.how !== 'cors') return { status: 0 }
    const hasPlainType = request.headers.some(([name, value]) => name === 'content-type' && value === 'text/plain')
    if (sends(request, refused) && !(refused === 'content-type' && hasPlainType)) return 'unread'
    if (hasPlainType) return { status: 400 }
    if (isShut) return { status: 401 }
    if (isModern) return sends(request, 'mcp-method') ? { ...initialized, text: '{"supportedVersions":[]}' } : {}
    const session = { ...initialized, headers: [...isJson, ['mcp-session-id', '1'] as const] }
    return request.body?.includes('initialize') ? session : { status: 400 }
  }
  it.each([
    ...requestHeaders.modern.map((name) => [name, 'of 2026', refusing(name, true, false)] as const),
    ...requestHeaders.legacy
      .filter((name) => name !== 'last-event-id')
      .map((name) => [name, 'of 2025', refusing(name, false, false)] as const),
    ...requestHeaders.signedIn.map((name) => [name, 'with a sign-in', refusing(name, true, true)] as const),
  ])('names the only header that is refused: %s, by a server %s', async (name, _whose, see) => {
    expect(await examine(see)).toEqual({ found: 'headers-refused', headers: [name] })
    const { fixes } = serverAdvice({ found: 'headers-refused', headers: [name] }, url, page.origin)
    for (const { paste } of fixes) expect(paste.toLowerCase()).toContain(name)
  })

  it('names no header if a server’s errors can’t be read for another reason', async () => {
    const see = (request: DoctorRequest): Given =>
      isPlain(request) ? 'unread' : request.how === 'cors' ? { ...initialized, text: '{"supportedVersions":[]}' } : {}
    expect(await examine(see)).toEqual({ found: 'no-list' })
  })

  /** Headers that a server's CORS must allow: those of every request that the official client makes. */
  async function sentTo({ fetch, requests }: TestServer): Promise<readonly string[]> {
    const connection = await connectMcp({ fetch }, { url: testAddress, era: 'auto' })
    await connection.listTools()
    await connection.call({ name: 'echo', args: { text: 'a' }, timeoutMs: 5_000 }, {})
    await connection.offer({ ask: 'resource', uri: 'a://b' }).catch(() => {})
    await connection.close()
    return [...new Set(requests.flatMap(({ headers }) => headers))].filter((name) => name !== 'accept').toSorted()
  }

  it('knows every header that the client sends, and no other', async () => {
    expect(await sentTo(modernServer())).toEqual(requestHeaders.modern.toSorted())
    const cut = oddServer({
      'tools/list': () => ({ tools: [] }),
      'tools/call': () =>
        eventStream('id: 1\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}'),
    })
    const sent = new Set([...(await sentTo(legacyServer())), ...(await sentTo(cut))])
    const { legacy, modern } = requestHeaders
    // `auto` asks for the newer version first.
    expect([...sent].toSorted()).toEqual(
      [...new Set([...legacy, ...modern])].filter((name) => name !== 'mcp-name').toSorted(),
    )
  })

  it('runs no tool while it checks', async () => {
    const bodies: (string | null)[] = []
    await examine((request) => {
      bodies.push(request.body)
      return request.how === 'cors' && !isPlain(request) ? 'unread' : {}
    })
    expect(bodies.length).toBeGreaterThan(3)
    expect(bodies.some((body) => body?.includes('tools/call'))).toBe(false)
  })

  it('gives the missing lines for this site, and a command where a page can’t see them', () => {
    const { fixes } = serverAdvice({ found: 'no-cors' }, url, page.origin)
    expect(fixes.map(({ how }) => how).slice(0, 3)).toEqual(['Express', 'FastMCP', 'nginx'])
    for (const { paste } of fixes) expect(paste).toContain(page.origin)
    for (const { paste } of fixes.slice(0, 3)) expect(paste).toContain('Mcp-Session-Id')
    expect(fixes[3]?.paste).toContain(`curl -i -X OPTIONS '${url}'`)
  })
})
