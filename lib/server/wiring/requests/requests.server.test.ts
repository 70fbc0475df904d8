import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { logProblem, setLogSink, currentRequest } from '../log/log.server'
import { recordOwner, watchRequests } from './requests.server'
import { forgetSettings } from '../settings.server'

type Line = Record<string, unknown>
let server: Server
let lines: Line[] = []
const secret = new Uint8Array(32).fill(1)

beforeAll(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  watchRequests()
  server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await setImmediate()
  if (request.url?.startsWith('/api/chat') === true) recordOwner('ada', secret)
  if (request.url === '/api/models') logProblem('something', new Error('odd'))
  response.end(currentRequest()?.id)
}
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  lines = []
  setLogSink((level, msg, fields) => lines.push({ level, msg, ...fields }))
})
afterEach(() => {
  setLogSink(null)
  vi.unstubAllEnvs()
  forgetSettings()
})

async function get(path: string, headers: Record<string, string> = {}) {
  const told = () => lines.filter(({ msg }) => msg === 'request').length
  const before = told()
  const { port } = server.address() as AddressInfo
  const sent = ask({ port, host: '127.0.0.1', path, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = await text(answer)
  await vi.waitFor(() => expect(told()).toBe(before + 1))
  return { body, id: answer.headers['x-request-id'] }
}

describe('a request', () => {
  it('has an id, which is in the response and in every log line about it', async () => {
    const { body, id } = await get('/api/models')
    expect(id).toMatch(/^[\w-]{36}$/)
    expect(body).toBe(id)
    expect(lines.map(({ msg, request }) => [String(msg).slice(0, 9), request])).toEqual([
      ['something', id],
      ['request', id],
    ])
    expect((await get('/api/models')).id).not.toBe(id)
  })

  it('is logged with its pattern and a hash of the owner, without its parameters', async () => {
    await get('/api/conversations/my-secret-id?q=my+words', { cookie: 'nod_owner=abc' })
    await get('/api/chat?x=words')
    expect(lines).toEqual([
      {
        level: 'info',
        msg: 'request',
        method: 'GET',
        route: '/api/conversations/[id]',
        status: 200,
        ms: expect.any(Number) as number,
        request: expect.any(String) as string,
      },
      expect.objectContaining({ route: '/api/chat', owner: expect.stringMatching(/^[\w-]{10}$/) as string }),
    ])
    const asked = lines.map(({ request: _name, ...line }) => line)
    expect(JSON.stringify(asked)).not.toMatch(/my-secret-id|words|abc|ada/)
  })

  it('keeps a well-formed id from a trusted proxy, and from nobody else', async () => {
    const given = 'edge-01:abcdef'
    expect((await get('/', { 'x-request-id': given })).id).not.toBe(given)
    // An unconfigured proxy beside the server passes on whatever a visitor writes.
    vi.stubEnv('NOD_ALLOWED_HOSTS', 'chat.example.com')
    forgetSettings()
    expect((await get('/', { 'x-request-id': given })).id).not.toBe(given)
    vi.stubEnv('NOD_TRUST_PROXY', '1')
    forgetSettings()
    expect((await get('/', { 'x-request-id': given })).id).toBe(given)
    for (const odd of ['short', 'a b c d e f g h', 'x'.repeat(200), '{"evil":"json"}']) {
      expect((await get('/', { 'x-request-id': odd })).id).not.toBe(odd)
    }
  })

  it('for a file or a probe is logged at debug level', async () => {
    for (const path of ['/_next/static/chunks/a.js', '/api/ready']) await get(path)
    expect(lines.map(({ level }) => level)).toEqual(['debug', 'debug'])
  })
})
