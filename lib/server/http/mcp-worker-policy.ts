import { modelWorkerPolicy } from '@/lib/server/http/response-headers'

/** The server's own, and those of its sign-in: issuer, tokens, registration. */
const MAX_ORIGINS = 5

/**
 * The policy of the worker that talks to one tool server: only the origins in `to`, and only where the operator's hosts allow
 * them. These are two policies in one header: a request must pass both, so the browser itself matches wildcards.
 * @param hosts sources as `readHosts` gives them
 * @param to the query parameters `to`: the server's origin, then those where its users sign in; anything but http(s) origins
 *   opens nothing
 */
export function mcpWorkerPolicy(hosts: readonly string[], to: readonly string[]): string {
  const areOrigins = to.length <= MAX_ORIGINS && to.every(isWebOrigin)
  const only = modelWorkerPolicy({ hosts: areOrigins ? to : [], wasm: false, own: false })
  return `${only}, ${modelWorkerPolicy({ hosts, wasm: false, own: false })}`
}

/** An origin as a URL writes it has no space, `;` or `,` by which another source or directive could begin. */
function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
