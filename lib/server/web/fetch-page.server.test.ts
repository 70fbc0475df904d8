import http from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { WebAnswer, WebFault } from '@/lib/shared/web/web-answer'
import { fetchLimits } from './fetch-page.server'
import { openWebWorld, type WebWorld } from './testing/web-world'

let world: WebWorld
const page = '<p>hello</p>'

beforeAll(async () => {
  world = await openWebWorld((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const to = url.searchParams.get('to')
    if (to !== null) return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end()
    const { body: given = page, ...headers } = Object.fromEntries(url.searchParams)
    const send = (body: string | Buffer, more: Record<string, string> = {}) =>
      response.writeHead(200, { 'content-type': 'text/html', ...more, ...headers }).end(body)
    switch (url.pathname) {
      case '/silent':
        return
      case '/slow':
        return response.writeHead(200, { 'content-type': 'text/html' }).write('a')
      case '/big': {
        response.writeHead(200, { 'content-type': 'text/html' })
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
        }
        response.on('drain', more)
        return more()
      }
      case '/long':
        return response.writeHead(200, { 'content-type': 'text/html', 'content-length': '3000001' }).write('a')
      case '/gzip':
        return send(gzipSync(page), { 'content-encoding': 'gzip' })
      case '/br':
        return send(brotliCompressSync(page), { 'content-encoding': 'br' })
      case '/deflate':
        return send(deflateSync(page), { 'content-encoding': 'deflate' })
      case '/bomb': {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        const gzip = createGzip()
        gzip.pipe(response)
        const zeros = Buffer.alloc(1 << 20)
        const more = () => {
          while (!response.destroyed && gzip.write(zeros));
        }
        gzip.on('drain', more)
        return more()
      }
      case '/bomb-br':
        return send(brotliCompressSync(Buffer.alloc(4_000_000)), { 'content-encoding': 'br' })
      case '/cut':
        return send(gzipSync(page.repeat(100)).subarray(0, 20), { 'content-encoding': 'gzip' })
      case '/twice':
        return send(gzipSync(gzipSync(page)), { 'content-encoding': 'gzip, gzip' })
      case '/headers':
        return send(page, { 'x-long': 'a'.repeat(20_000) })
      case '/untyped':
        return response.writeHead(200).end(page)
      default:
        return send(given)
    }
  })
})
afterAll(() => world.close())
beforeEach(() => world.reset())

const why = (answer: WebAnswer): WebFault | 'page' => (answer.kind === 'page' ? 'page' : answer.why)
const textOf = (answer: WebAnswer): string =>
  answer.kind === 'page' ? Buffer.from(answer.base64, 'base64').toString() : answer.why

describe('an internal address', () => {
  test.each([
    // IP addresses in every notation.
    'http://127.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://a.localhost/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:5ef5:79fd::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[100::1]/',
    'http://[fd00::1]/',
    'http://[fec0::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/machine',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://100.64.0.1/',
    'http://192.0.0.192/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'https://127.0.0.1/',
    // Names, by the addresses of their name servers.
    'http://evil.test/',
    'http://EVIL.test./',
    'http://both.test/',
    'http://last.test/',
    'http://v6.test/',
    'http://mapped.test/',
    'http://mapped-public.test/',
    'http://meta.test/',
    'http://azure.test/',
    'http://aws6.test/',
    'http://alibaba.test/',
    'http://nat64.test/',
    'http://nat64-local.test/',
    'http://sixtofour.test/',
    'http://teredo.test/',
    'http://cgnat.test/',
    'http://zone.test/',
    'http://words.test/',
    'http://nothing.test/',
    'http://unknown.test/',
    // The address of this server itself.
    'http://chat.example.com/',
    'https://CHAT.example.com./api/conversations',
    'http://self.test/',
    // Redirects.
    'http://good.test/?to=http://127.0.0.1/r',
    'http://good.test/?to=http://evil.test/r',
    'http://good.test/?to=//[::ffff:127.0.0.1]/r',
    'http://good.test/?to=file:///etc/passwd',
    'http://good.test/?to=javascript:1',
    'http://good.test/?to=http://user:pw@good.test/',
    'http://good.test/?to=http://good.test/?to=http://2130706433/',
    'http://good.test/?to=http://good.test:6379/',
    'http://good.test/?to=%5C%5C127.0.0.1%5Cr',
    'http://rebind.test/?to=/again',
    // Anything that is no plain web address.
    'http://good.test:6379/',
    'http://good.test:22/',
    'http://good.test:8080/',
    'http://user:pw@good.test/',
    'http://good.test@127.0.0.1/',
    'http://@127.0.0.1/',
    'http://127.0.0.1#@good.test/',
    'http://good.test\\@127.0.0.1/',
    'http://127.0.0.1\\good.test/',
    'http://good\t.test/',
    'http://good.test/\r\nhost: inner',
    'http:good.test/',
    'http:///127.0.0.1/',
    'http://[fe80::1%25lo]/',
    'http://good..test/',
    'http://.../',
    'file:///etc/passwd',
    'data:text/html,x',
    'ftp://good.test/',
    'gopher://good.test/',
    'blob:http://good.test/x',
    '//good.test/',
    'good.test',
    '',
    `http://good.test/${'a'.repeat(2_000)}`,
  ])('is not connected to: %s', async (url) => {
    const answer = await world.read(url)
    expect(answer.kind).toBe('failed')
    expect(JSON.stringify(answer)).not.toContain('SECRET')
    expect(world.hits()).toBe(0)
    expect(world.dialed.filter((one) => !/^(?:93\.184\.215\.1[45]|2606:)/.test(one))).toEqual([])
  })

  it('is reported like one that does not exist', async () => {
    expect(await world.read('http://evil.test/')).toEqual({ kind: 'failed', why: 'not-public', host: 'evil.test' })
    expect(await world.read('http://unknown.test/')).toEqual({
      kind: 'failed',
      why: 'not-public',
      host: 'unknown.test',
    })
  })

  it('is reachable without these checks, so that these tests can fail', async () => {
    const socket = await world.ports.dial({
      address: '127.0.0.1',
      port: 80,
      tls: null,
      signal: new AbortController().signal,
    })
    socket.destroy()
    expect(world.hits()).toBe(1)
  })
})

describe('a host whose addresses change', () => {
  it('is connected to at the checked addresses, with one lookup per request', async () => {
    expect(why(await world.read('http://rebind.test/'))).toBe('page')
    expect(world.lookedUp).toEqual(['rebind.test'])
    expect(world.dialed).toEqual(['93.184.215.14 80'])
    expect(why(await world.read('http://rebind.test/'))).toBe('not-public')
    expect(world.hits()).toBe(0)
  })
})

describe('a redirect', () => {
  it('to the same host is followed four times', async () => {
    const four = '/?to=%2F%3Fto%3D%252F%253Fto%253D%25252F%25253Fto%25253D%25252Fend'
    const answer = await world.read(`http://good.test${four}`)
    expect(answer).toMatchObject({ kind: 'page', url: 'http://good.test/end' })
    expect(world.asked).toHaveLength(5)
    world.reset()
    const loop = await world.read(
      `http://good.test/?to=${encodeURIComponent('?to=%3Fto%3D%253Fto%253D%25253Fto%25253D%2525253Fto%2525253Dx')}`,
    )
    expect(why(loop)).toBe('redirects')
    expect(world.asked).toHaveLength(5)
  })

  test.each([
    ['http://good.test/?to=http://other.test/a?b', 'http://other.test/a?b'],
    ['http://good.test/?to=//www.good.test/', 'http://www.good.test/'],
    ['https://good.test/?to=http://good.test/', 'http://good.test/'],
    ['http://good.test/?status=308&to=https://good.test:80/', 'https://good.test:80/'],
  ])('to another origin ends the call and names it: %s', async (url, to) => {
    const answer = await world.read(url)
    expect(answer).toMatchObject({ kind: 'failed', why: 'moved', to })
    expect(world.asked).toHaveLength(1)
  })

  it('to https on the same host is followed', async () => {
    expect(await world.read('http://good.test/?to=https://good.test/in')).toMatchObject({
      kind: 'page',
      url: 'https://good.test/in',
    })
    expect(world.dialed).toEqual(['93.184.215.14 80', '93.184.215.14 443'])
  })
})

describe('a page', () => {
  it('is requested without cookies, with a plain user agent', async () => {
    await world.read('http://good.test/a%20b?q=1#part')
    expect(world.asked).toEqual([
      {
        path: '/a%20b?q=1',
        headers: {
          host: 'good.test',
          'user-agent': expect.stringMatching(/^NodPageReader\/1 /),
          accept: expect.any(String),
          'accept-encoding': 'gzip, br, deflate',
          connection: 'close',
        },
      },
    ])
  })

  test.each(['/', '/gzip', '/br', '/deflate'])('is decompressed: %s', async (path) => {
    expect(textOf(await world.read(`http://good.test${path}`))).toBe(page)
  })

  it('can be read over IPv6 too', async () => {
    expect(why(await world.read('http://six.test/'))).toBe('page')
    expect(why(await world.read('http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'))).toBe('page')
  })

  test.each<[string, WebFault]>([
    ['/big', 'too-large'],
    ['/long', 'too-large'],
    ['/bomb', 'too-large'],
    ['/bomb-br', 'too-large'],
    ['/cut', 'broken'],
    ['/twice', 'encoding'],
    ['/?content-encoding=zstd', 'encoding'],
    ['/headers', 'broken'],
    ['/untyped', 'type'],
    ['/?content-type=image/png', 'type'],
    ['/?content-type=application/octet-stream', 'type'],
    ['/?content-type=text/event-stream', 'type'],
    ['/?content-type=multipart/x-mixed-replace', 'type'],
    ['/?content-type=application/xml', 'type'],
  ])('that is too large or unreadable is refused: %s', async (path, fault) => {
    expect(why(await world.read(`http://good.test${path}`))).toBe(fault)
  })

  test.each([
    ['text/html; charset="Shift_JIS"', 'html', 'shift_jis'],
    ['application/xhtml+xml', 'html', null],
    ['application/pdf', 'pdf', null],
    ['application/ld+json', 'json', null],
    ['text/markdown', 'text', null],
  ])('is recognized by its type: %s', async (type, kind, charset) => {
    expect(await world.read(`http://good.test/?content-type=${encodeURIComponent(type)}`)).toMatchObject({
      type: kind,
      charset,
    })
  })

  test.each([
    ['%PDF-1.7 …', 'application/octet-stream', 'pdf'],
    ['%PDF-1.7 …', '', 'pdf'],
    ['\n<!DOCTYPE html><p>x', 'binary/octet-stream', 'html'],
    ['<html lang=en><p>x', 'application/x-download', 'html'],
    ['MZ…', 'application/octet-stream', 'type'],
    ['%PDF-1.7 …', 'image/png', 'type'],
  ])('is recognized by its content, %s, where the server says %j', async (body, type, kind) => {
    const answer = await world.read(`http://good.test/?body=${encodeURIComponent(body)}&content-type=${type}`)
    expect(answer.kind === 'page' ? answer.type : answer.why).toBe(kind)
  })

  it('that does not start or does not end is given up', async () => {
    const limits = { ...fetchLimits, headersMs: 60, totalMs: 120 }
    expect(why(await world.read('http://good.test/silent', {}, { limits }))).toBe('late')
    expect(why(await world.read('http://good.test/slow', {}, { limits }))).toBe('late')
  })

  it('is given up when the user stops the call', async () => {
    const stop = new AbortController()
    const read = world.read('http://good.test/slow', {}, { signal: stop.signal })
    stop.abort()
    expect(why(await read)).toBe('late')
  })
})

describe('hosts that the operator listed', () => {
  const hosts = [
    'https://good.test',
    'https://*.other.test',
    'http://wiki.corp:8080',
    'http://127.0.0.1:3000',
    'http://wiki-meta.corp:80',
  ]

  test.each<[string, WebFault | 'page']>([
    ['http://good.test/', 'page'],
    ['https://good.test/', 'page'],
    ['http://six.test/', 'not-listed'],
    ['http://other.test/', 'not-listed'],
    ['http://evilgood.test/', 'not-listed'],
    ['http://good.test:8080/', 'port'],
    ['http://wiki.corp/', 'not-listed'],
    ['http://wiki.corp:8081/', 'not-listed'],
    ['https://wiki.corp:8080/', 'not-listed'],
    ['http://127.0.0.1/', 'not-listed'],
    // Its own port is never reached, nor where clouds serve credentials.
    ['http://127.0.0.1:3000/', 'not-public'],
    ['http://wiki-meta.corp/', 'not-public'],
  ])('are the only ones allowed: %s → %s', async (url, expected) => {
    expect(why(await world.read(url, { mode: 'listed', hosts }))).toBe(expected)
    expect(world.hits()).toBe(0)
  })

  it('may be internal if their port is given', async () => {
    for (const mode of ['listed', 'public'] as const) {
      world.reset()
      const answer = await world.read('http://wiki.corp:8080/', { mode, hosts })
      expect(textOf(answer)).toBe('SECRET')
      expect(world.dialed).toEqual(['10.1.2.3 8080'])
    }
  })
})

describe('a proxy from the environment', () => {
  it('is not used', async () => {
    let connections = 0
    const proxy = createServer((socket) => {
      connections += 1
      socket.on('error', () => {})
      socket.destroy()
    })
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', () => resolve()))
    const before = http.globalAgent
    const { port } = proxy.address() as AddressInfo
    http.globalAgent = new http.Agent({
      proxyEnv: { ...process.env, HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '', no_proxy: '' },
    })
    try {
      expect(why(await world.read('http://good.test/'))).toBe('page')
      expect(connections).toBe(0)
      // Any other client would connect there.
      await new Promise<void>((resolve) => void http.get('http://good.test/').on('error', () => resolve()))
      expect(connections).toBe(1)
    } finally {
      http.globalAgent = before
      proxy.close()
    }
  })
})
