import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Answers what it knows by Node's own answer, and says false to all else. `compress` is asked for where the answer may be
 * compressed, before anything is written.
 */
export type DirectRoutes = (
  request: IncomingMessage,
  response: ServerResponse,
  compress: () => Promise<void>,
) => Promise<boolean>

/** On globalThis: routes are in Next's bundle, who asks them is in the server's own. */
const key = Symbol.for('nod.direct-routes')
const slot = globalThis as typeof globalThis & { [key]?: () => Promise<DirectRoutes> }

/** `load` is asked with the first request: until then an idle server need not hold them. */
export const offerDirectRoutes = (load: () => Promise<DirectRoutes>): void => {
  slot[key] = load
}

/** Where no one offers any, all is left to Next. */
export const answerDirectly: DirectRoutes = async (...asked) => (await slot[key]?.())?.(...asked) ?? false
