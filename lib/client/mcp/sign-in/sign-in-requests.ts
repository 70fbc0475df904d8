import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  computeScopeUnion,
  discoverOAuthServerInfo,
  selectResourceURL,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import {
  OriginsNeeded,
  type SignInProblem,
  type Challenge,
  type ClientRegistration,
  type SignInStep,
} from './sign-in-steps'

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

/** Where and how to sign in. */
export interface Found {
  readonly url: string
  readonly redirectTo: string
  readonly documentAt: string | null
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  readonly resource: string
  readonly scope: string | undefined
  readonly way: ClientRegistration
  readonly needsSecret: boolean
  /** False: the server describes no sign-in. */
  readonly isDescribed: boolean
  readonly usesDpop: boolean
}

export interface FindPorts {
  readonly requests: SignInRequests
  readonly origins: ReadonlySet<string>
  readonly challenge: Challenge | null
  /** The scopes of the existing sign-in. */
  readonly granted: string | undefined
}

/**
 * Asks the server for its authorization server, and that one for its metadata. Throws `SignInFailed` or
 * `OriginsNeeded`.
 */
export async function findSignIn(
  { url, redirectTo, documentAt }: Extract<SignInStep, { step: 'find' }>,
  { requests, origins, challenge, granted }: FindPorts,
): Promise<Found> {
  const { host } = new URL(url)
  const info = await requests.watched(host, () =>
    discoverOAuthServerInfo(url, {
      fetchFn: requests.fetch,
      ...(challenge?.metadataAt && { resourceMetadataUrl: new URL(challenge.metadataAt) }),
    }),
  )
  const { resourceMetadata } = info
  const asked = new URL(info.authorizationServerUrl)
  if (!info.authorizationServerMetadata && resourceMetadata) {
    throw new SignInFailed({ why: 'unreached', host: asked.host })
  }
  const metadata = info.authorizationServerMetadata ?? undescribed(asked.origin)
  const at = new URL(metadata.authorization_endpoint)
  const { token_endpoint: tokens, registration_endpoint: registers } = metadata
  if (![asked, at, new URL(tokens), ...(registers ? [new URL(registers)] : [])].every(requests.isSafe)) {
    throw new SignInFailed({ why: 'insecure', host: at.host })
  }
  const isForApps = signsInApps(metadata)
  // The specification forbids continuing if PKCE is not announced. Without a person there is no code to protect.
  if (!isForApps && !metadata.code_challenge_methods_supported?.includes('S256'))
    throw new SignInFailed({ why: 'no-pkce', host: at.host })
  const resource = await resourceOf(url, resourceMetadata)
  const readsDocuments = !isForApps && metadata.client_id_metadata_document_supported === true && documentAt !== null
  // Checked before the window is open: a policy can only be widened by a new worker.
  const ends = [tokens, ...(!readsDocuments && !isForApps ? [registers ?? ''] : [])]
  const missing = ends.filter((end) => end !== '' && !origins.has(new URL(end).origin))
  if (missing.length > 0) throw new OriginsNeeded(missing.map((end) => new URL(end).origin))
  return {
    url,
    redirectTo,
    documentAt,
    issuer: info.authorizationServerUrl,
    metadata,
    resource,
    scope: scopeOf(challenge, resourceMetadata, metadata, granted),
    way: isForApps ? 'app' : readsDocuments ? 'document' : registers ? 'registration' : 'pasted',
    isDescribed: info.authorizationServerMetadata !== undefined,
    needsSecret: isForApps || metadata.token_endpoint_auth_methods_supported?.includes('none') === false,
    usesDpop: usesDpop(metadata, resourceMetadata, challenge),
  }
}

/**
 * What the specification of 2025-03-26 assumes of a server that describes nothing: it signs in itself, at fixed paths,
 * with PKCE. Whether it does shows when it registers this app.
 */
const undescribed = (origin: string): AuthorizationServerMetadata => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
})

/** Only apps sign in there (`client_credentials`). */
const signsInApps = ({ grant_types_supported: grants }: AuthorizationServerMetadata): boolean =>
  grants?.includes('client_credentials') === true && !grants.includes('authorization_code')

/** The resource that a token is for, as the server writes it. A description of another server is refused. */
async function resourceOf(url: string, described: OAuthProtectedResourceMetadata | undefined): Promise<string> {
  const own = new URL(url)
  own.hash = ''
  if (!described) return own.href
  try {
    await selectResourceURL(url, {} as Parameters<typeof selectResourceURL>[1], described)
  } catch {
    throw new SignInFailed({ why: 'wrong-resource' })
  }
  return described.resource
}

/** The server's own scopes first; with refreshing if the authorization server has that as a scope. */
function scopeOf(
  challenge: Challenge | null,
  described: OAuthProtectedResourceMetadata | undefined,
  { scopes_supported: supported }: AuthorizationServerMetadata,
  granted: string | undefined,
): string | undefined {
  const listed = described?.scopes_supported?.join(' ')
  const scope = challenge?.scope ? computeScopeUnion(granted, challenge.scope) : listed
  if (!scope) return undefined
  return supported?.includes('offline_access') ? computeScopeUnion(scope, 'offline_access') : scope
}

/** Both sides must support it: a server that reads only bearer tokens would refuse every request. */
function usesDpop(
  {
    dpop_signing_alg_values_supported: issues,
  }: AuthorizationServerMetadata & {
    readonly dpop_signing_alg_values_supported?: unknown
  },
  described: OAuthProtectedResourceMetadata | undefined,
  challenge: Challenge | null,
): boolean {
  const resource: { readonly [name: string]: unknown } = { ...described }
  const takes = resource['dpop_signing_alg_values_supported']
  const reads =
    challenge?.isDpop === true ||
    resource['dpop_bound_access_tokens_required'] === true ||
    (Array.isArray(takes) && takes.includes('ES256'))
  return reads && Array.isArray(issues) && issues.includes('ES256')
}
