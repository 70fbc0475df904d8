import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Server as NetServer, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { listen } from './listen.server'
import { constants } from 'node:zlib'
import compression from 'compression'

/**
 * Longer than proxies keep an idle connection (nginx 60 s, Caddy 120 s): else one of them sends a request into a connection that we
 * are just closing.
 */
const KEEP_ALIVE_MS = 125_000
/** A head is sent in one go; who lets it drip only holds a connection. */
const HEADERS_MS = 20_000
/** For the whole request, the largest import over a slow line included. Answers may take as long as they like. */
const REQUEST_MS = 300_000
/** Cookies of several sites on one host, and a long address. */
const MAX_HEADER_BYTES = 16 * 1024
/** What a connection that was taken in the last moment has to say something. */
const SILENT_MS = 1_000
/** A turn of the event loop in which nothing was to do is over by then. */
const QUIET_TURN_MS = 0.2
const QUIET_TRIES = 200

export interface Drain {
  /**
   * So long requests are still taken, on new connections too, while every answer closes its connection; left out: not at all.
   * Must not reject.
   */
  readonly openUntil?: Promise<unknown>
  /** From the start: then whatever is left is cut off. */
  readonly graceMs: number
}

export interface HttpServer {
  readonly server: Server
  /** Resolves when it takes connections; rejects if the address is taken. */
  readonly listen: (address: { readonly port: number; readonly host: string }) => Promise<void>
  /**
   * After `openUntil` takes no connection any longer, closes those that are idle, and the others with their answer. Resolves when the
   * last one is closed, at the latest after `graceMs`. Anyone who asks again waits for the same end.
   */
  readonly drain: (how: Drain) => Promise<void>
  /** Resolves when `drain` takes no connection any longer: requests come on those alone that are being answered. */
  readonly closed: Promise<void>
}

/** A server that says goodbye properly. `handle` must not reject. */
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
      // A head that was sent before the signal promised to keep the connection, and a proxy may send the next request on it as soon as it
      // has the last word: while requests are taken, the answer to that one closes it. Later anyone who balances sends nothing here.
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

  /** Someone who connects and says nothing holds no one up. */
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

/** Node writes `Connection: close` by itself when it knows. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/**
 * Resolves in a turn of the event loop that had nothing to do: a connection that the kernel has taken, and a request that has
 * arrived, are with us by then, and none of them is lost by closing now. A loop that is never idle is not waited for for ever.
 */
async function quietTurn(): Promise<void> {
  for (let tries = 0; tries < QUIET_TRIES; tries += 1) {
    const from = performance.now()
    await turn()
    if (performance.now() - from < QUIET_TURN_MS) return
  }
}

/** Pages, what a page asks for when it continues to another one, and answers of the API: text that is sent in one go. */
const WORTH_IT = /^(?:text\/html|text\/x-component|text\/plain|application\/json)\b/i

/** Below this the head is most of it. */
const LEAST_BYTES = 1_024

/**
 * Compresses answers that are made again each time, by Brotli or gzip. Never a stream of events: each is to arrive when it is
 * written. Level 4 takes a fifth off what gzip makes of our pages in about the time that gzip takes.
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
  // It is written for Express, whose requests are Node's with more to them; of that it uses nothing.
  return compress as unknown as ReturnType<typeof createAnswerCompression>
}
