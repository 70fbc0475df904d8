import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** What Node was asked, as routes are asked. Forwarded headers are to be believed by then (`trust-forwarded.ts`). */
export function webRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/' } = incoming
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
  }
  const address = `http://${incoming.headers.host ?? 'localhost'}${url}`
  if (method === 'GET' || method === 'HEAD') return new Request(address, { method, headers })
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>
  return new Request(address, { method, headers, body: body as unknown as BodyInit, duplex: 'half' } as RequestInit)
}

/** The status and the headers of a route's answer, besides those that `response` has. */
export function writeHead(response: ServerResponse, { status, headers }: Response): void {
  response.statusCode = status
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
}

/** A whole answer, sent in one go. */
export async function writeAnswer(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  writeHead(response, answer)
  response.end(body)
}
