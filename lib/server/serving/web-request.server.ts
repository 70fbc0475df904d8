import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/**
 * Converts a Node request to a web request for routes. Forwarded headers must be trustworthy by then
 * (`lib/server/http/forwarded.ts`).
 */
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

/** Writes the status and the headers of a route's response, in addition to those that `response` has. */
export function writeHead(response: ServerResponse, { status, headers }: Response): void {
  response.statusCode = status
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
}

/** Writes a whole response at once. */
export async function writeAnswer(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  writeHead(response, answer)
  response.end(body)
}
