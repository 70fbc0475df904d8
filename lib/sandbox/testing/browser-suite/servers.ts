import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { appHeaders, frameHeaders, type Header, contentSecurityPolicy } from '@/lib/server/http/response-headers'

// The product's own policies: what they block here they block there.
const appPageHeaders = (nonce: string) => ({
  ...toRecord(appHeaders),
  'Content-Security-Policy': contentSecurityPolicy({ nonce, dev: false }),
})

const toRecord = (headers: readonly Header[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ key, value }) => [key, value]))

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return address.port
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return portOf(server.address())
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** The app's origin with its real headers, serving `files` (path → text or bytes) and one page that loads /suite.js. */
export async function startApp(files: Readonly<Record<string, string | Uint8Array>>) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://app').pathname
    const text = files[path]
    if (path === '/') {
      const nonce = randomBytes(16).toString('base64')
      response.writeHead(200, {
        'content-type': 'text/html',
        'set-cookie': 'secret=APPSECRET-cookie; SameSite=Lax',
        ...appPageHeaders(nonce),
      })
      response.end(
        `<!doctype html><title>suite</title><p id="marker">APPSECRET-dom</p><script nonce="${nonce}" src="/suite.js"></script>`,
      )
    } else if (path === '/api/secret') {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('APPSECRET-api')
    } else if (text === undefined) {
      response.writeHead(404).end()
    } else {
      const isPage = path.endsWith('.html')
      response.writeHead(200, {
        'content-type': isPage ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
        ...toRecord(isPage ? frameHeaders(String(text), { runsCode: path === '/sandbox.html' }) : appHeaders),
      })
      response.end(text)
    }
  })
  const port = await listen(server)
  return { url: `http://localhost:${port}`, otherUrl: `http://127.0.0.1:${port}`, close: () => close(server) }
}

export interface Attacker {
  readonly host: string
  readonly stun: string
  /** Each contact, as “GET /path”; a case clears it. */
  readonly hits: string[]
  readonly close: () => Promise<void>
}

/** Another origin that untrusted code tries to reach, by HTTP, WebSocket and UDP (STUN). Every contact is counted. */
export async function startAttacker(): Promise<Attacker> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }).end('1')
  })
  server.on('upgrade', (request, socket) => {
    hits.push(`WS ${request.url}`)
    socket.destroy()
  })
  const port = await listen(server)
  const udp = createSocket('udp4')
  udp.on('message', () => hits.push('UDP'))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  return {
    host: `127.0.0.1:${port}`,
    stun: `127.0.0.1:${udp.address().port}`,
    hits,
    async close() {
      udp.close()
      await close(server)
    },
  }
}
