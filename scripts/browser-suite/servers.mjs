import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { contentSecurityPolicy } from '../../lib/http/content-security-policy.ts'
import { appHeaders, frameHeaders } from '../../lib/http/static-headers.ts'

// The product's own policies: what holds here holds there.
const appPageHeaders = (nonce) => ({
  ...toRecord(appHeaders),
  'Content-Security-Policy': contentSecurityPolicy({ nonce, dev: false }),
})

const toRecord = (headers) => Object.fromEntries(headers.map(({ key, value }) => [key, value]))

async function listen(server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server.address().port
}

const close = (server) =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(resolve)
  })

/**
 * The app's origin with its real headers, serving `files` (path → text or bytes) and one page that loads /suite.js.
 * @param {Readonly<Record<string, string | Uint8Array>>} files
 */
export async function startApp(files) {
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
        ...toRecord(isPage ? frameHeaders(text, { runsCode: path === '/sandbox.html' }) : appHeaders),
      })
      response.end(text)
    }
  })
  const port = await listen(server)
  return { url: `http://localhost:${port}`, otherUrl: `http://127.0.0.1:${port}`, close: () => close(server) }
}

/** Another origin that foreign code tries to reach, by HTTP, WebSocket and UDP (STUN). Every contact is counted. */
export async function startAttacker() {
  const hits = []
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
