import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { constants } from 'node:zlib'
import compression from 'compression'

/**
 * Node accepts one connection per listening socket and turn of the event loop. A busy process has 10 to 40 turns a
 * second, so that many new visitors would wait in the kernel for seconds. Several sockets accept as many connections
 * per turn.
 */
const SOCKETS = 32

interface Address {
  readonly port: number
  readonly host: string
}

async function startListening(server: NetServer, address: Address & { readonly reusePort: boolean }): Promise<void> {
  server.listen(address)
  await once(server, 'listening')
}

const close = (server: NetServer) => new Promise<void>((resolve) => server.close(() => resolve()))

/** Checks that the address is free: sockets that share a port would not notice another process that shares it, too. */
async function takeAlone({ port, host }: Address): Promise<number> {
  const probe = createNetServer()
  await startListening(probe, { port, host, reusePort: false })
  const taken = (probe.address() as AddressInfo).port
  await close(probe)
  return taken
}

/**
 * Returns the listening servers: `server`, and those that pass their connections to it. Rejects if the address is in
 * use.
 */
export async function listen(server: NetServer, address: Address): Promise<readonly NetServer[]> {
  // Workers get their connections from their supervisor, whose event loop is mostly idle.
  if (cluster.isWorker) {
    await startListening(server, { ...address, reusePort: false })
    return [server]
  }
  const { host } = address
  const port = await takeAlone(address)
  try {
    await startListening(server, { host, port, reusePort: true })
  } catch {
    // This system does not support shared ports.
    await startListening(server, { host, port, reusePort: false })
    return [server]
  }
  const servers = [server]
  while (servers.length < SOCKETS) {
    // The same options as Node's `http` uses.
    const more = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    const isListening = await startListening(more, { host, port, reusePort: true }).then(
      () => true,
      () => false,
    )
    if (!isListening) break
    servers.push(more)
  }
  return servers
}

/**
 * Longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s): otherwise one of them sends a request on a
 * connection that we are just closing.
 */
const KEEP_ALIVE_MS = 125_000
/** Clients send headers at once; one that sends them slowly only occupies a connection. */
const HEADERS_MS = 20_000
/** For the whole request, including the largest import on a slow connection. Responses may take any time. */
const REQUEST_MS = 300_000
/** Room for cookies of several sites on one host, and a long URL. */
const MAX_HEADER_BYTES = 16 * 1024
/** How long a connection that was accepted at the last moment may stay silent. */
const SILENT_MS = 1_000
/** A turn of the event loop without work is shorter than this. */
const QUIET_TURN_MS = 0.2
const QUIET_TRIES = 200

export interface Drain {
  /**
   * Until this resolves, requests are accepted, on new connections too, while every response closes its connection;
   * omitted: not at all. Must not reject.
   */
  readonly openUntil?: Promise<unknown>
  /** Counted from the start: then all remaining connections are cut off. */
  readonly graceMs: number
}

export interface HttpServer {
  readonly server: Server
  /** Resolves when the server accepts connections; rejects if the address is in use. */
  readonly listen: (address: { readonly port: number; readonly host: string }) => Promise<void>
  /**
   * After `openUntil`, stops accepting connections and closes idle ones, the others with their response. Resolves when
   * the last one is closed, at the latest after `graceMs`. Repeated calls wait for the same end.
   */
  readonly drain: (how: Drain) => Promise<void>
  /** Resolves when `drain` has stopped accepting connections: new requests can arrive only on active ones. */
  readonly closed: Promise<void>
}

/** An HTTP server with a graceful shutdown. `handle` must not reject. */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): HttpServer {
  const answering = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  const { promise: closed, resolve: nowClosed } = Promise.withResolvers<void>()
  let drained: Promise<void> | null = null
  let isClosed = false
  let listening: readonly NetServer[] = []

  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (request, response) => {
      answering.add(response)
      if (drained !== null) closeAfter(response)
      // A response header sent before the shutdown promised keep-alive, and a proxy may send the next request on that
      // connection right after the response. While requests are accepted, the response to that one closes it. Later,
      // load balancers send nothing here.
      response.once('finish', () => {
        if (isClosed) request.socket.destroySoon()
      })
      response.once('close', () => answering.delete(response))
      void handle(request, response)
    },
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  /** Connections that send nothing must not delay the shutdown. */
  const leaveSilent = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  async function drain({ openUntil, graceMs }: Drain): Promise<void> {
    for (const response of answering) closeAfter(response)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    if (openUntil) await openUntil.then(quietTurn)
    const ended = Promise.all(listening.map((one) => new Promise<void>((resolve) => one.close(() => resolve()))))
    isClosed = true
    nowClosed()
    server.closeIdleConnections()
    const silent = setTimeout(leaveSilent, SILENT_MS)
    await ended
    clearTimeout(cut)
    clearTimeout(silent)
  }

  return {
    server,
    closed,
    async listen(address) {
      listening = await listen(server, address)
    },
    drain: (how) => (drained ??= drain(how)),
  }
}

/** Node adds `Connection: close` itself once this is set. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/**
 * Resolves after a turn of the event loop without work: all connections that the kernel accepted and all requests that
 * arrived have then reached us, so closing now loses none. If the loop is never idle, this gives up after a while.
 */
async function quietTurn(): Promise<void> {
  for (let tries = 0; tries < QUIET_TRIES; tries += 1) {
    const from = performance.now()
    await turn()
    if (performance.now() - from < QUIET_TURN_MS) return
  }
}

/** Pages, page data of client navigations, and API responses: text that is sent at once. */
const WORTH_IT = /^(?:text\/html|text\/x-component|text\/plain|application\/json)\b/i

/** Below this size, the headers are the larger part. */
const LEAST_BYTES = 1_024

/**
 * Compresses dynamic responses with Brotli or gzip. Never an event stream, where each event must arrive when it is
 * written. Brotli level 4 is a fifth smaller than gzip for our pages, in about the same time.
 */
export function createAnswerCompression(): (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void {
  const compress = compression({
    threshold: LEAST_BYTES,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    filter: (_request, response) => WORTH_IT.test(String(response.getHeader('content-type') ?? '')),
  })
  // The package is written for Express, whose requests extend Node's; it uses none of the extensions.
  return compress as unknown as ReturnType<typeof createAnswerCompression>
}
