import { readFileSync } from 'node:fs'
import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { proxyName, type Proxy } from './proxies'

/** One response, or none: `status` 0. */
export interface Exchange {
  readonly what: string
  readonly status: number
  /** The error of a server that failed. */
  readonly why?: string
}

/** A browser as seen on the network: cookies, one HTTP/2 connection, and `fetch`. */
export interface Visitor {
  readonly fetch: typeof fetch
  /** All requests, in the order of the responses. */
  readonly exchanges: readonly Exchange[]
  /** As the server sent them. */
  readonly cookies: readonly string[]
  close(): void
}

export interface VisitorOptions {
  readonly proxy: Proxy
  /** One of this machine's loopback addresses, from which it connects. */
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
}

export function createVisitor({ proxy, address, headers = {} }: VisitorOptions): Visitor {
  const origin = `https://${proxyName}:${proxy.port}`
  const ca = readFileSync(proxy.authority)
  const jar = new Map<string, string>()
  const cookies: string[] = []
  const exchanges: Exchange[] = []
  let session: ClientHttp2Session | null = null

  function open(): ClientHttp2Session {
    if (session !== null && !session.closed && !session.destroyed) return session
    const socket = { host: '127.0.0.1', port: proxy.port, servername: proxyName, localAddress: address }
    const made = connect(origin, { createConnection: () => connectTls({ ...socket, ca, ALPNProtocols: ['h2'] }) })
    // Each of its streams reports the error too.
    made.on('error', () => {})
    session = made
    return made
  }

  function keepCookies(written: readonly string[] = []): void {
    for (const cookie of written) {
      cookies.push(cookie)
      const [pair = ''] = cookie.split(';')
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }

  async function fetchOver(input: string, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? init.body : null
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const asked = Object.fromEntries(new Headers(init.headers))
    const stream = open().request(
      { ':method': method, ':path': input, ...(cookie !== '' && { cookie }), ...headers, ...asked, origin },
      { endStream: body === null },
    )
    if (body !== null) stream.end(body)
    init.signal?.addEventListener('abort', () => stream.close(constants.NGHTTP2_CANCEL), { once: true })
    const what = `${method} ${input.replace(/[0-9a-f]{8}-[0-9a-f-]{27,}|\?.*/g, '…')}`
    const answered = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      stream.once('response', resolve)
      stream.once('error', reject)
      stream.once('close', () => reject(new TypeError('no answer')))
    }).catch((error: unknown) => {
      if (init.signal?.aborted !== true) exchanges.push({ what, status: 0 })
      throw error
    })
    // A later abort breaks the body, which its reader sees.
    stream.on('error', () => {})
    const status = answered[':status'] as unknown as number
    const why = status >= 500 ? await text(stream) : null
    exchanges.push({ what, status, ...(why !== null && { why }) })
    keepCookies(answered['set-cookie'])
    const said = Object.entries(answered).flatMap(([name, value]) =>
      name.startsWith(':') || value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const isEmpty = status === 204 || status === 304
    if (why !== null) return new Response(why, { status, headers: said })
    return new Response(isEmpty ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>), {
      status,
      headers: said,
    })
  }

  return {
    fetch: fetchOver as typeof fetch,
    exchanges,
    cookies,
    close: () => session?.destroy(),
  }
}
