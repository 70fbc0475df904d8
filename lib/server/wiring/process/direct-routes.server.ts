import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers the requests that it handles on Node's own response, and returns false for all others. `compress` is called
 * before writing if the response may be compressed.
 */
export type DirectRoutes = (
  request: IncomingMessage,
  response: ServerResponse,
  compress: () => Promise<void>,
) => Promise<boolean>

/** On globalThis: routes are in Next's bundle, and their caller is in the server's own. */
const key = Symbol.for('nod.direct-routes')
const slot = globalThis as typeof globalThis & { [key]?: () => Promise<DirectRoutes> }

/** `load` is called with the first request: until then an idle server need not load them. */
export const offerDirectRoutes = (load: () => Promise<DirectRoutes>): void => {
  slot[key] = load
}

/** Without registered routes, everything is left to Next. */
export const answerDirectly: DirectRoutes = async (...args) => (await slot[key]?.())?.(...args) ?? false
