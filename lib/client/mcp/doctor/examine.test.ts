import { describe, expect, it } from 'vitest'
import type { RemoteServer } from '../remote-server'
import type { DoctorResponse, DoctorRequest } from '../worker-messages'
import { serverAdvice, examineServer, type McpFinding } from './examine'

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
const initialized = { text: '{"result":{"protocolVersion":"2025-11-25"}}' }

describe('the connection doctor', () => {
  it.each<[string, (request: DoctorRequest) => Given, McpFinding]>([
    ['the operator does not allow the host', () => 'blocked', { found: 'not-allowed' }],
    ['nobody answers', () => 'unread', { found: 'unreachable' }],
    ['the server is silent', () => 'timeout', { found: 'silent' }],
    ['it answers without CORS', ({ how }) => (how === 'cors' ? 'unread' : { status: 0 }), { found: 'no-cors' }],
    [
      'it redirects',
      ({ how }) => (how === 'cors' ? 'unread' : { status: 0, isRedirect: how === 'manual' }),
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
  ])('finds out that %s', async (_what, see, finding) => {
    expect(await examine(see)).toEqual(finding)
  })

  it('tells what the browser forbids from a server that is down', async () => {
    expect(await examine(() => 'unread', 'http://10.0.0.5:3000/mcp')).toEqual({ found: 'mixed-content' })
    expect(await examine(() => 'unread', 'http://127.0.0.1:3000/mcp')).toEqual({ found: 'unreachable' })
    const asks = { ...page, localNetwork: 'prompt' } as const
    expect(await examine(() => 'unread', 'http://127.0.0.1:3000/mcp', asks)).toEqual({ found: 'local-network-asks' })
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
