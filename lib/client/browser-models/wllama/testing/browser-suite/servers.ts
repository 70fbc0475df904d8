import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { modelFrameHeaders, modelWorkerPolicy, contentSecurityPolicy } from '@/lib/server/http/response-headers'

const root = path.resolve(import.meta.dirname, '../../../../../..')

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

export interface AppOptions {
  /** The hosts that the worker may reach. */
  readonly hosts: readonly string[]
  readonly pageScript: string
}

/** Starts the app's origin: a page under the product's policy, the worker under its own, and its WebAssembly. */
export async function startApp({ hosts, pageScript }: AppOptions) {
  const answer = async ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, 'http://app')
    const nonce = randomBytes(16).toString('base64')
    if (pathname === '/') {
      const policy = contentSecurityPolicy({ nonce, dev: false })
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
      response.end(
        `<!doctype html><title>suite</title><input type="file" id="one"><input type="file" id="two"><script nonce="${nonce}" src="/suite.js"></script>`,
      )
    } else if (pathname === '/wllama.html') {
      const html = await readFile(path.join(root, 'public', pathname), 'utf8')
      const headers = modelFrameHeaders(html).map(({ key, value }): [string, string] => [key, value])
      response.writeHead(200, { 'content-type': 'text/html', ...Object.fromEntries(headers) }).end(html)
    } else if (pathname === '/suite.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(pageScript)
    } else if (/^\/workers\/[\w.-]+$/.test(pathname)) {
      const isScript = pathname.endsWith('.js')
      response.writeHead(200, {
        'content-type': isScript ? 'text/javascript' : 'application/wasm',
        'content-security-policy': modelWorkerPolicy({ hosts, wasm: true }),
      })
      response.end(await readFile(path.join(root, 'public', pathname)))
    } else response.writeHead(404).end()
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  const port = await listen(server)
  return { url: `http://localhost:${port}`, close: () => close(server) }
}

/**
 * Starts another origin that serves the files of a folder to everyone, with range requests. `/cut/…` breaks off
 * halfway, once.
 */
export async function startWeightsServer(folder: string) {
  const asked: string[] = []
  const wasCut = new Set<string>()
  const answer = async ({ url = '/', method, headers: given }: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(url, 'http://weights')
    asked.push(`${method} ${pathname} ${given.range ?? ''}`.trim())
    const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Content-Range, ETag' }
    if (method === 'OPTIONS') return response.writeHead(204, { ...open, 'access-control-allow-headers': 'range' }).end()
    const file = path.join(folder, path.basename(pathname))
    const size = await stat(file).then(
      (found) => found.size,
      () => null,
    )
    if (size === null) return response.writeHead(404, open).end()
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(given.range ?? '') ?? []
    const start = Number(from || 0)
    const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
    response.writeHead(from === '' ? 200 : 206, {
      ...open,
      'content-length': end - start + 1,
      etag: `"${size}"`,
      ...(from !== '' && { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    if (method === 'HEAD') return response.end()
    const isCut = pathname.startsWith('/cut/') && end - start > size / 2 && !wasCut.has(pathname)
    if (!isCut) return createReadStream(file, { start, end }).pipe(response)
    wasCut.add(pathname)
    createReadStream(file, { start, end: Math.floor(size / 2) })
      .on('end', () => setTimeout(() => response.destroy(), 200))
      .pipe(response, { end: false })
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  const port = await listen(server)
  return { url: `http://127.0.0.1:${port}`, asked, close: () => close(server) }
}
