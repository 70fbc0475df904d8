import { InsecureTokenEndpointError, IssuerMismatchError, OAuthError } from '@modelcontextprotocol/client'
import { OriginsNeeded, type SignInProblem } from './sign-in-steps'

/* The requests of a sign-in: for metadata, registration and tokens. */

export interface SignInRequestPorts {
  readonly fetch: typeof globalThis.fetch
  /** Origins that the worker's policy names. */
  readonly origins: ReadonlySet<string>
  readonly isBlocked: (origin: string) => Promise<boolean>
}

export interface SignInRequests {
  /** Follows no redirect, and reaches only origins that the policy names. */
  readonly fetch: typeof globalThis.fetch
  /** https; this computer only for a tool server on this computer. */
  readonly isSafe: (url: URL) => boolean
  /**
   * Runs SDK work for a host. Throws `SignInFailed`, or `OriginsNeeded`, because the SDK mistakes some failed requests
   * for missing metadata.
   */
  readonly watched: <T>(host: string, work: () => Promise<T>) => Promise<T>
}

export class SignInFailed extends Error {
  readonly problem: SignInProblem
  constructor(problem: SignInProblem) {
    super(problem.why)
    this.name = 'SignInFailed'
    this.problem = problem
  }
}

/** Metadata and tokens are small, and arrive quickly. */
const MAX_BYTES = 1_000_000
const REQUEST_MS = 20_000

const isThisComputer = ({ hostname }: URL): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)

export function createSignInRequests({ fetch, origins, isBlocked }: SignInRequestPorts): SignInRequests {
  const needed = new Set<string>()
  let insecure: string | null = null
  let silent: string | null = null
  const isHere = [...origins].some((origin) => isThisComputer(new URL(origin)))
  const isSafe = (url: URL): boolean =>
    isThisComputer(url) ? isHere && /^https?:$/.test(url.protocol) : url.protocol === 'https:'

  async function problemOf(error: unknown, host: string): Promise<SignInProblem> {
    if (error instanceof IssuerMismatchError) return { why: 'wrong-issuer', host }
    if (error instanceof InsecureTokenEndpointError) return { why: 'insecure', host }
    if (error instanceof OAuthError) return { why: 'refused', host, message: error.message.slice(0, 300) }
    for (const origin of origins)
      if (new URL(origin).host === host && (await isBlocked(origin))) return { why: 'blocked', host }
    if (error instanceof TypeError) return { why: 'unreached', host }
    return { why: 'refused', host, message: (error instanceof Error ? error.message : String(error)).slice(0, 300) }
  }

  return {
    isSafe,
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : String(input))
      const to = url.origin
      if (!origins.has(to)) {
        // Not even its metadata is requested: a tool server must not direct requests to this computer or its network.
        if (!isSafe(url)) {
          insecure = url.host
          throw new SignInFailed({ why: 'insecure', host: url.host })
        }
        needed.add(to)
        throw new OriginsNeeded([to])
      }
      const late = AbortSignal.timeout(REQUEST_MS)
      try {
        const response = await fetch(input, {
          ...init,
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          redirect: 'error',
          cache: 'no-store',
          signal: init.signal ? AbortSignal.any([init.signal, late]) : late,
        })
        return await whole(response)
      } catch (error) {
        if (late.aborted || error instanceof TooLarge) silent = url.host
        throw error
      }
    },
    async watched<T>(host: string, work: () => Promise<T>): Promise<T> {
      needed.clear()
      insecure = null
      silent = null
      const check = () => {
        if (insecure !== null) throw new SignInFailed({ why: 'insecure', host: insecure })
        if (silent !== null) throw new SignInFailed({ why: 'no-answer', host: silent })
        if (needed.size > 0) throw new OriginsNeeded([...needed])
      }
      try {
        const done = await work()
        check()
        return done
      } catch (error) {
        check()
        if (error instanceof SignInFailed) throw error
        throw new SignInFailed(await problemOf(error, host))
      }
    },
  }
}

class TooLarge extends Error {}

/** Reads a response with its whole body; an endless one is cut off. */
async function whole(response: Response): Promise<Response> {
  if (!response.body) return response
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > MAX_BYTES) {
      await reader.cancel().catch(() => {})
      throw new TooLarge('the answer is too large')
    }
    parts.push(value)
  }
  const { status, statusText, headers } = response
  return new Response(new Blob(parts), { status, statusText, headers })
}
