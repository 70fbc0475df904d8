// A relative path, because Next's configuration is read without our path aliases.
import { err, ok, type Result } from '../../base/result'

/** `example.com`, `*.example.com`, `localhost`, `[::1]`, each with a port or with `:*`. */
const host =
  /^(\*\.)?((?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)*[a-z\d](?:[a-z\d-]*[a-z\d])?|\[[\da-f:.]+\])(:(?:\d{1,5}|\*))?$/
/** Browsers treat these hosts as secure without TLS. */
const loopback = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::.*)?$/

/**
 * Converts hosts, separated by commas, to sources of a Content-Security-Policy, `https://*.example.com`. `http:` only
 * for this machine's loopback, or where it is written and `http` allows it. `none` means no host; `named` are names for
 * lists of sources. The error is the part that is no valid host.
 */
export function readHosts(
  text: string,
  {
    named = {},
    http = false,
  }: { readonly named?: Readonly<Record<string, readonly string[]>>; readonly http?: boolean } = {},
): Result<readonly string[], string> {
  const parts = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
  if (parts.length === 1 && parts[0] === 'none') return ok([])
  const word = parts.length === 1 ? parts[0] : undefined
  if (word !== undefined && Object.hasOwn(named, word)) return ok(named[word] ?? [])
  const sources: string[] = []
  for (const part of parts) {
    const source = Object.hasOwn(named, part) ? null : sourceOf(part, http)
    if (source === null) return err(part)
    if (!sources.includes(source)) sources.push(source)
  }
  return ok(sources)
}

function sourceOf(part: string, http: boolean): string | null {
  const [, scheme = null, rest = ''] = /^(?:(https?):\/\/)?(.*?)\/?$/.exec(part) ?? []
  if (!host.test(rest) || Number(/:(\d+)$/.exec(rest)?.[1] ?? 1) > 65_535) return null
  const isHere = loopback.test(rest)
  if (scheme === 'http' && !isHere && !http) return null
  return `${scheme ?? (isHere ? 'http' : 'https')}://${rest}`
}

/* Separate and without imports, because Next's configuration reads them too and knows no path aliases. */

/** The rules for each variable with hosts; the rows of the settings table use them. */
export const modelHostRules = {
  NOD_MODEL_HOSTS: { default: 'huggingface.co, *.huggingface.co, *.hf.co', http: false },
  NOD_MCP_HOSTS: {
    default: 'any',
    /** HTTP only for hosts that browsers treat as secure: the user's own machine. */
    named: { any: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'], off: [] },
    http: true,
  },
  NOD_READ_HOSTS: { default: 'none', http: true },
  NOD_BROWSER_MODELS: {
    default: 'any',
    /** HTTP only for hosts that browsers treat as secure: the user's own machine. */
    named: { any: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'], off: [] },
    http: true,
  },
} as const
