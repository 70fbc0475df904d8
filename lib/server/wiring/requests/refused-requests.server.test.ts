import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { routePatterns } from '@/lib/server/http/request-names'
import { dropOwnHeaders, missingFile, refusedRequest, refuseRequest } from './refused-requests.server'

it('accepts every route and page of the app, with any id and query', () => {
  const id = fc.stringMatching(/^[\w-]{1,40}$/)
  fc.assert(
    fc.property(fc.constantFrom(...routePatterns), id, fc.webQueryParameters(), (pattern, one, query) => {
      expect(refusedRequest('GET', `${pattern.replaceAll(/\[\w+\]/g, one)}?${query}`)).toBeNull()
    }),
  )
  for (const path of ['/?x=%E0%A4%A', '/c/%E6%BC%A2', '/_next/static/a.js', '/robots.txt', '/wp-admin'])
    expect(refusedRequest('GET', path)).toBeNull()
})

it('refuses a URL of another server, however it is written', () => {
  const host = fc.webAuthority({ withPort: true })
  const scheme = fc.constantFrom(
    'http://',
    'https://',
    'HTTP://',
    'ftp://',
    'javascript:',
    '//',
    '/\\',
    '/\\/',
    '///',
    '',
  )
  fc.assert(
    fc.property(scheme, host, fc.webPath(), (before, authority, path) => {
      expect(refusedRequest('GET', `${before}${authority}${path}`)).toMatchObject({ status: 400 })
    }),
  )
  expect(refusedRequest('OPTIONS', '*')).toMatchObject({ status: 400 })
})

it('refuses an invalid escape anywhere in a path, and a NUL', () => {
  const piece = fc.constantFrom('%', '%E0%A4%A', '%ff', '%zz', '%c0%af', '%00', '%E2%82')
  const before = fc.constantFrom(...routePatterns)
  fc.assert(
    fc.property(before, piece, fc.constantFrom('', '/x', '?a=b'), (path, broken, after) => {
      expect(refusedRequest('GET', `${path.replaceAll(/\[\w+\]/g, 'x')}/${broken}${after}`)).toMatchObject({
        status: 400,
      })
    }),
  )
})

it('refuses methods without a route, and missing routes and files', () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'MKCOL'])
    expect(refusedRequest(method, '/api/models')).toMatchObject({ status: 405 })
  for (const path of ['/api/nothing', '/api/', '/api/chat/x', '/api/conversations/x/y/z'])
    expect(refusedRequest('GET', path)).toMatchObject({ status: 404 })
  for (const path of [
    '/workers/none.js?v=1',
    '/_next/image?url=x',
    '/_next/static/none.css',
    '/robots.txt',
    '/icons/none.png',
    '/sw.js',
  ])
    expect(missingFile(path)).toMatchObject({ status: 404 })
  expect(refusedRequest('GET', '/nod/api/nothing', '/nod')).toMatchObject({ status: 404 })
  expect(missingFile('/nod/workers/none.js', '/nod')).toMatchObject({ status: 404 })
  expect([refusedRequest('GET', '/nod/api/chat', '/nod'), missingFile('/nod/c/x', '/nod')]).toEqual([null, null])
  for (const path of ['/', '/c/x', '/icon.svg', '/manifest', '/workersx']) expect(missingFile(path)).toBeNull()
})

it('responds with a policy under which nothing runs, and repeats no part of the request', async () => {
  const server = createServer((request, response) => {
    dropOwnHeaders(request)
    expect(request.headers['content-security-policy']).toBeUndefined()
    const odd = refusedRequest(request.method ?? '', request.url ?? '')
    if (odd) refuseRequest(request, response, odd)
    else response.end('taken')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const raw = async (line: string): Promise<string> => {
    const socket = connect(port, '127.0.0.1')
    const headers = "Host: localhost\r\nContent-Security-Policy: script-src 'nonce-EVIL'\r\nConnection: close"
    socket.write(`${line} HTTP/1.1\r\n${headers}\r\n\r\n`)
    return text(socket)
  }
  try {
    const lines = ['GET http://evil.example/sign-in', 'TRACE /api/models', 'GET /c/%E0%A4%A', 'GET /api/nothing']
    for (const [at, status] of [400, 405, 400, 404].entries()) {
      const answer = await raw(lines[at] ?? '')
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'")
      expect(answer).not.toMatch(/EVIL|evil|^location:|^refresh:/im)
    }
    expect(await raw('GET /')).toContain('taken')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
