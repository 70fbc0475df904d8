import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local tool server that answers as the test says, honestly or not. It speaks 2025-11-25 unless it is `modern`. */
export interface HostileServer {
  readonly url: string
  readonly requests: readonly HeardRequest[]
  /** Names of the tools that were called, in order. */
  readonly called: () => readonly unknown[]
  /** Sets its behaviour from now on. */
  become(behaviour: Behaviour): void
  close(): Promise<void>
}

interface HeardRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly rpc: string
  readonly body: string
}

/** One JSON-RPC request, with the ways to answer it. */
export interface Asked {
  readonly id: number
  readonly params: Readonly<Record<string, unknown>>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  result(value: unknown): void
  error(message: string): void
  /** Any HTTP response. */
  raw(status: number, headers: Record<string, string>, body?: string): void
  /** Begins a stream of events; ends it unless it is to stay open. */
  events(messages: readonly unknown[], options?: { readonly stays?: boolean }): void
}

export interface Behaviour {
  /** It speaks 2026-07-28. As a function: the answer to `server/discover`. */
  readonly modern?: true | ((asked: Asked) => void)
  /** The answer to `tools/list`: the tools, or a handwritten response. */
  readonly list?: readonly unknown[] | ((asked: Asked) => void)
  readonly call?: (asked: Asked) => void
  /** Replaces everything else, for every request. */
  readonly http?: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startHostileServer(behaviour: Behaviour): Promise<HostileServer> {
  const requests: HeardRequest[] = []
  const called: unknown[] = []
  let now = behaviour
  const server = createServer((request, response) => {
    response.on('error', () => {})
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    const said = readRpc(body)
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rpc: said.method,
      body,
    })
    if (said.method === 'tools/call') called.push(said.params['name'])
    if (now.http) return now.http(request, response)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    // A notification, or the client's answer to a request of this server.
    if (said.id === undefined || said.method === '') return void response.writeHead(202).end()
    const asked = askedOf(said.id, said.params, request, response, now.modern !== undefined)
    if (said.method === 'server/discover' && now.modern) {
      if (typeof now.modern === 'function') return now.modern(asked)
      return asked.result({ supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } } })
    }
    if (said.method === 'initialize') {
      return asked.result({
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'hostile', version: '1' },
      })
    }
    if (said.method === 'tools/list') {
      const { list = [] } = now
      return typeof list === 'function' ? list(asked) : asked.result({ tools: list })
    }
    if (said.method === 'tools/call' && now.call) return now.call(asked)
    asked.error('Method not found')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    requests,
    called: () => called,
    become: (next) => void (now = next),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Included in each result of 2026. */
const complete = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' }

function askedOf(
  id: number,
  params: Asked['params'],
  request: IncomingMessage,
  response: ServerResponse,
  isModern: boolean,
): Asked {
  const raw: Asked['raw'] = (status, headers, body = '') => void response.writeHead(status, headers).end(body)
  const json = (value: unknown) => raw(200, { 'content-type': 'application/json' }, JSON.stringify(value))
  return {
    id,
    params,
    request,
    response,
    raw,
    result: (value) => json({ jsonrpc: '2.0', id, result: isModern ? { ...complete, ...(value as object) } : value }),
    error: (message) => json({ jsonrpc: '2.0', id, error: { code: -32601, message } }),
    events(messages, { stays = false } = {}) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const message of messages) response.write(`data: ${JSON.stringify(message)}\n\n`)
      if (!stays) response.end()
    },
  }
}

function readRpc(body: string): { method: string; id?: number; params: Record<string, unknown> } {
  if (body === '') return { method: '', params: {} }
  const { method = '', id, params = {} } = JSON.parse(body) as Partial<ReturnType<typeof readRpc>>
  return { method, params, ...(id !== undefined && { id }) }
}

/** Sends until the other side closes, or `bytes` are sent. */
export function flood(response: ServerResponse, bytes: number, chunk: string): void {
  let sent = 0
  const more = () => {
    while (sent < bytes && !response.destroyed) {
      sent += chunk.length
      if (!response.write(chunk)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}
