import { modelWorkerPolicy } from '@/lib/server/http/response-headers'

/**
 * The policy of the worker that talks to one tool server: only the origin in `to`, and only where the operator's hosts allow
 * it. These are two policies in one header: a request must pass both, so the browser itself matches wildcards.
 * @param hosts sources as `readHosts` gives them
 * @param to the query parameter `to`; anything but one http(s) origin opens nothing
 */
export function mcpWorkerPolicy(hosts: readonly string[], to: readonly string[]): string {
  const [origin] = to
  const isOrigin = to.length === 1 && origin !== undefined && isWebOrigin(origin)
  const only = modelWorkerPolicy({ hosts: isOrigin ? [origin] : [], wasm: false, own: false })
  return `${only}, ${modelWorkerPolicy({ hosts, wasm: false, own: false })}`
}

/** An origin as a URL writes it has no space, `;` or `,` by which another source or directive could begin. */
function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
