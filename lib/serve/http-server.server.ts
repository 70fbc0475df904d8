import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

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

export interface HttpServer {
  readonly server: Server
  /**
   * Takes no connection any more, closes those that are idle, and the others with their answer. Resolves when the last one is
   * closed, at the latest after `graceMs`, when those that are left are cut off. Whoever asks again waits for the same end.
   */
  readonly drain: (graceMs: number) => Promise<void>
}

/** A server that says goodbye properly. `handle` must not reject. */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): HttpServer {
  const answering = new Set<ServerResponse>()
  let drained: Promise<void> | null = null

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
      response.once('close', () => {
        answering.delete(response)
        // A head that was sent before the signal promised to keep the connection; nobody waits for that now.
        if (drained !== null) setImmediate(() => server.closeIdleConnections())
      })
      void handle(request, response)
    },
  )

  async function drain(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const response of answering) closeAfter(response)
    server.closeIdleConnections()
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    await closed
    clearTimeout(cut)
  }

  return {
    server,
    drain: (graceMs) => (drained ??= drain(graceMs)),
  }
}

/** Node writes `Connection: close` by itself when it knows. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}
