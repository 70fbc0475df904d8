import { Agent, request } from 'node:http'
import { Readable } from 'node:stream'

/**
 * A browser without a proxy, as seen on the network: cookies, and a new connection for each request, so that workers
 * answer in turn. `origin` is called for each request, `headers` are sent with each; `from`: one of this machine's own
 * addresses.
 */
export function createDirectVisitor(
  origin: () => string,
  headers: Readonly<Record<string, string>> = {},
  from = '127.0.0.1',
): typeof fetch {
  const jar = new Map<string, string>()
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const asked = { ...Object.fromEntries(new Headers(init.headers)), ...headers, ...(cookie !== '' && { cookie }) }
      const options = { method: init.method ?? 'GET', headers: asked, agent: new Agent(), localAddress: from }
      const sent = request(`${origin()}${path}`, options, (answer) => {
        for (const written of answer.headers['set-cookie'] ?? []) {
          const [pair = ''] = written.split(';')
          const at = pair.indexOf('=')
          jar.set(pair.slice(0, at), pair.slice(at + 1))
        }
        const known = new Headers()
        for (const [name, value] of Object.entries(answer.headers))
          if (typeof value === 'string') known.set(name, value)
        const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>
        const status = answer.statusCode ?? 500
        resolve(new Response(status === 204 ? null : body, { status, headers: known }))
      })
      sent.once('error', reject)
      init.signal?.addEventListener('abort', () => sent.destroy(new Error('aborted')), { once: true })
      sent.end(typeof init.body === 'string' ? init.body : undefined)
    })
  return ask as typeof fetch
}
