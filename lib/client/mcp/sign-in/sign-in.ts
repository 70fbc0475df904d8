import '../any-result'
import {
  computeScopeUnion,
  discoverOAuthServerInfo,
  DpopSession,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  generateDpopKeyPair,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  refreshAuthorization,
  registerClient,
  selectResourceURL,
  startAuthorization,
  UnauthorizedError,
  validateAuthorizationResponseIssuer,
  withDpop,
  type AuthorizationServerMetadata,
  type AuthProvider,
  type DpopKeyPair,
  type Middleware,
  type OAuthClientInformationMixed,
  type OAuthProtectedResourceMetadata,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import type { KeptSignIns } from './kept-sign-ins'
import {
  OriginsNeeded,
  type ClientWay,
  type SignInProblem,
  type SignInResult,
  type SignInReturn,
  type SignInStep,
} from './sign-in-steps'

/*
 * The sign-in to one tool server, inside of its worker (OAuth 2.1 with PKCE). Tokens never leave the worker, except to the server
 * and to its authorization server. With `connection.ts` the only file that knows the SDK.
 */

/** A sign-in that is there. Stored as it is, if the user chose that. */
export interface SignedIn {
  readonly metadata: AuthorizationServerMetadata
  readonly client: OAuthClientInformationMixed
  readonly resource: string
  readonly tokens: OAuthTokens
  /** Wall clock, ms; null where the authorization server does not say. */
  readonly expiresAt: number | null
  readonly key: DpopKeyPair | null
}

export interface SignInPorts {
  readonly fetch: typeof globalThis.fetch
  /** Origins that the worker's policy names. */
  readonly origins: ReadonlySet<string>
  readonly isBlocked: (origin: string) => Promise<boolean>
  readonly kept: KeptSignIns<SignedIn>
  /** Runs one at a time in all tabs of this browser. */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

/** What `find` learned. */
interface Found {
  readonly url: string
  readonly redirectTo: string
  readonly documentAt: string | null
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  readonly resource: string
  readonly scope: string | undefined
  readonly way: ClientWay
  readonly usesDpop: boolean
}

/** A window is open. */
interface Begun {
  readonly found: Found
  readonly client: OAuthClientInformationMixed
  readonly state: string
  readonly verifier: string
  readonly key: DpopKeyPair | null
  readonly keep: boolean
}

/** What the server said when it refused a request. */
interface Challenge {
  readonly metadataAt: URL | null
  readonly scope: string | undefined
  readonly isDpop: boolean
}

export interface SignIn {
  /** Does a step of the page. Throws `OriginsNeeded` where the policy has to be widened first. */
  take(step: SignInStep): Promise<SignInResult>
  /** Reads what is kept for this server. Throws `OriginsNeeded`. */
  restore(url: string): Promise<void>
  isSignedIn(): boolean
  /** More scopes are needed than the sign-in has. */
  needsScope(scope: string | undefined): void
  readonly provider: AuthProvider
  /** Puts proofs of possession on requests to the server, and notes which token a refused request had. */
  readonly wrap: Middleware
}

/** A token that ends so soon is renewed before a request, ms. */
const SOON_MS = 20_000

class SignInFailed extends Error {
  readonly problem: SignInProblem
  constructor(problem: SignInProblem) {
    super(problem.why)
    this.name = 'SignInFailed'
    this.problem = problem
  }
}

export function createSignIn({ fetch, origins, isBlocked, kept, inTurn, now }: SignInPorts): SignIn {
  let found: Found | null = null
  let begun: Begun | null = null
  let current: SignedIn | null = null
  /** The address under which `current` is kept; null: in memory only. */
  let keptAs: string | null = null
  let session: { readonly key: DpopKeyPair; readonly dpop: Promise<DpopSession> } | null = null
  let challenge: Challenge | null = null
  const registered = new Map<string, OAuthClientInformationMixed>()
  /** Which token a refused request had. */
  const tokenOf = new WeakMap<Response, string>()
  const needed = new Set<string>()

  /** For metadata, registration and tokens. Never follows a redirect. */
  const fetchOfSignIn: typeof globalThis.fetch = async (input, init = {}) => {
    const to = new URL(input instanceof Request ? input.url : String(input)).origin
    if (!origins.has(to)) {
      needed.add(to)
      throw new OriginsNeeded([to])
    }
    return fetch(input, {
      ...init,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
    })
  }

  /** Errors of the SDK as the problem that they are. The SDK takes some failed requests for missing metadata. */
  async function watched<T>(host: string, work: () => Promise<T>): Promise<T> {
    needed.clear()
    try {
      const done = await work()
      if (needed.size > 0) throw new OriginsNeeded([...needed])
      return done
    } catch (error) {
      if (needed.size > 0) throw new OriginsNeeded([...needed])
      if (error instanceof SignInFailed) throw error
      throw new SignInFailed(await problemOf(error, host))
    }
  }

  async function problemOf(error: unknown, host: string): Promise<SignInProblem> {
    if (error instanceof IssuerMismatchError) return { why: 'wrong-issuer', host }
    if (error instanceof InsecureTokenEndpointError) return { why: 'insecure', host }
    if (error instanceof OAuthError) return { why: 'refused', host, message: error.message.slice(0, 300) }
    for (const origin of origins)
      if (new URL(origin).host === host && (await isBlocked(origin))) return { why: 'blocked', host }
    if (error instanceof TypeError) return { why: 'unreached', host }
    return { why: 'refused', host, message: (error instanceof Error ? error.message : String(error)).slice(0, 300) }
  }

  async function find({ url, redirectTo, documentAt }: Extract<SignInStep, { step: 'find' }>): Promise<Found> {
    const { host } = new URL(url)
    const info = await watched(host, () =>
      discoverOAuthServerInfo(url, {
        fetchFn: fetchOfSignIn,
        ...(challenge?.metadataAt && { resourceMetadataUrl: challenge.metadataAt }),
      }),
    )
    const { authorizationServerMetadata: metadata, resourceMetadata } = info
    const asked = new URL(info.authorizationServerUrl)
    if (!metadata) {
      throw new SignInFailed(resourceMetadata ? { why: 'unreached', host: asked.host } : { why: 'not-described' })
    }
    const at = new URL(metadata.authorization_endpoint)
    if (![asked, at, new URL(metadata.token_endpoint)].every(isSecure)) {
      throw new SignInFailed({ why: 'insecure', host: at.host })
    }
    // The specification forbids going on where PKCE is not announced.
    if (!metadata.code_challenge_methods_supported?.includes('S256'))
      throw new SignInFailed({ why: 'no-pkce', host: at.host })
    const resource = await resourceOf(url, resourceMetadata)
    const readsDocuments = metadata.client_id_metadata_document_supported === true && documentAt !== null
    // Now, not when the window is open: a policy can only be widened by a new worker.
    const ends = [metadata.token_endpoint, ...(!readsDocuments ? [metadata.registration_endpoint ?? ''] : [])]
    const missing = ends.filter((end) => end !== '' && !origins.has(new URL(end).origin))
    if (missing.length > 0) throw new OriginsNeeded(missing.map((end) => new URL(end).origin))
    return {
      url,
      redirectTo,
      documentAt,
      issuer: info.authorizationServerUrl,
      metadata,
      resource,
      scope: scopeOf(challenge, resourceMetadata, metadata, current),
      way: readsDocuments ? 'document' : metadata.registration_endpoint ? 'registration' : 'pasted',
      usesDpop: usesDpop(metadata, resourceMetadata, challenge),
    }
  }

  async function begin(clientId: string | null, keep: boolean): Promise<SignInResult> {
    if (!found) throw new SignInFailed({ why: 'wrong-state' })
    const { metadata, issuer, redirectTo, scope, resource, usesDpop: proves } = found
    const { host } = new URL(metadata.authorization_endpoint)
    const one = found
    const client = await clientOf(one, clientId)
    const key = proves ? await generateDpopKeyPair() : null
    const state = randomState()
    const { authorizationUrl, codeVerifier } = await watched(host, () =>
      startAuthorization(issuer, {
        metadata,
        clientInformation: client,
        redirectUrl: redirectTo,
        state,
        resource,
        ...(scope !== undefined && { scope }),
      }),
    )
    if (key) authorizationUrl.searchParams.set('dpop_jkt', key.thumbprint)
    // In a fragment the code does not even reach the server of this app.
    if (metadata.response_modes_supported?.includes('fragment'))
      authorizationUrl.searchParams.set('response_mode', 'fragment')
    begun = { found: one, client, state, verifier: codeVerifier, key, keep }
    return { is: 'begun', address: authorizationUrl.href, state }
  }

  async function clientOf({ way, issuer, metadata, documentAt, redirectTo, scope }: Found, pasted: string | null) {
    if (pasted !== null) return { client_id: pasted }
    if (way === 'document' && documentAt !== null) return { client_id: documentAt }
    const known = registered.get(issuer)
    if (known) return known
    const { host } = new URL(metadata.authorization_endpoint)
    if (way === 'pasted') throw new SignInFailed({ why: 'not-registered', host })
    try {
      const client = await registerClient(issuer, {
        metadata,
        clientMetadata: clientMetadata(redirectTo),
        fetchFn: fetchOfSignIn,
        ...(scope !== undefined && { scope }),
      })
      registered.set(issuer, client)
      return client
    } catch {
      // Refused, or it answers without CORS. The way on is the same.
      throw new SignInFailed({ why: 'not-registered', host })
    }
  }

  async function finish({ state, code, iss, error }: SignInReturn): Promise<SignInResult> {
    if (!begun || begun.state !== state) throw new SignInFailed({ why: 'wrong-state' })
    const { found: one, client, verifier, key, keep } = begun
    const { metadata, issuer, redirectTo, resource, url } = one
    const { host } = new URL(metadata.authorization_endpoint)
    begun = null
    await watched(host, async () =>
      // Before anything that came back is believed.
      validateAuthorizationResponseIssuer({
        iss: iss ?? undefined,
        expectedIssuer: metadata.issuer,
        issParameterSupported: saysIssuer(metadata),
      }),
    )
    if (error !== null || code === null) {
      if (error === 'access_denied') throw new SignInFailed({ why: 'denied', host })
      throw new SignInFailed({ why: 'refused', host, message: (error ?? '').slice(0, 300) })
    }
    const dpop = key && (await sessionOf(key))
    const tokens = await watched(host, () =>
      exchangeAuthorization(issuer, {
        metadata,
        clientInformation: client,
        authorizationCode: code,
        codeVerifier: verifier,
        redirectUri: redirectTo,
        resource,
        fetchFn: fetchOfSignIn,
        ...(iss !== null && { iss }),
        ...(dpop && { dpop }),
      }),
    )
    current = { metadata, client, resource, tokens, expiresAt: endOf(tokens), key: isBound(tokens) ? key : null }
    challenge = null
    keptAs = keep ? url : null
    if (keep) await kept.put(url, current).catch(() => (keptAs = null))
    else await kept.remove(url)
    return { is: 'signed-in' }
  }

  /** Renews the token `used`, once in all tabs. False: the sign-in has ended. */
  async function renew(used: string): Promise<boolean> {
    const before = current
    if (!before) return false
    return inTurn(`nod-sign-in ${before.metadata.issuer} ${before.client.client_id}`, async () => {
      // Another tab, or another request, may have done it, or have signed out.
      if (keptAs !== null) await adopt(keptAs)
      if (!current) return false
      if (current.tokens.access_token !== used) return true
      const { metadata, client, tokens, resource, key } = current
      if (tokens.refresh_token === undefined) return false
      const dpop = key && (await sessionOf(key))
      try {
        const next = await refreshAuthorization(metadata.issuer, {
          metadata,
          clientInformation: client,
          refreshToken: tokens.refresh_token,
          resource,
          fetchFn: fetchOfSignIn,
          ...(dpop && { dpop }),
        })
        // A server that leaves the scope out means the one before.
        current = {
          ...current,
          tokens: { ...(tokens.scope !== undefined && { scope: tokens.scope }), ...next },
          expiresAt: endOf(next),
        }
        if (keptAs !== null) await kept.put(keptAs, current).catch(() => {})
        return true
      } catch (error) {
        // Used up or taken back. Where it could not be asked, it may still be good.
        if (error instanceof OAuthError && isOver(error)) await drop()
        return false
      }
    })
  }

  async function adopt(url: string): Promise<void> {
    const stored = await kept.get(url)
    if (stored) current = stored
    else {
      current = null
      keptAs = null
    }
  }

  async function drop(): Promise<void> {
    const url = keptAs
    current = null
    keptAs = null
    if (url !== null) await kept.remove(url)
  }

  const endOf = ({ expires_in: seconds }: OAuthTokens) => (seconds === undefined ? null : now() + seconds * 1_000)

  function sessionOf(key: DpopKeyPair): Promise<DpopSession> {
    if (session?.key.thumbprint !== key.thumbprint) session = { key, dpop: DpopSession.create({ keyPair: key }) }
    return session!.dpop
  }

  async function take(step: SignInStep): Promise<SignInResult> {
    switch (step.step) {
      case 'find': {
        found = await find(step)
        const { metadata, scope, way } = found
        const scopes = (scope ?? '').split(' ').filter((one) => one !== '')
        return { is: 'found', offer: { host: new URL(metadata.authorization_endpoint).host, scopes, way } }
      }
      case 'begin':
        return begin(step.clientId, step.keep)
      case 'finish':
        return finish(step.returned)
      case 'forget':
        begun = null
        await drop()
        await kept.remove(step.url)
        return { is: 'forgotten' }
    }
  }

  return {
    async take(step) {
      try {
        return await take(step)
      } catch (error) {
        if (error instanceof SignInFailed) return { is: 'problem', problem: error.problem }
        throw error
      }
    },
    async restore(url) {
      if (current) return
      const stored = await kept.get(url)
      if (!stored) return
      const end = new URL(stored.metadata.token_endpoint).origin
      if (!origins.has(end)) throw new OriginsNeeded([end])
      current = stored
      keptAs = url
    },
    isSignedIn: () => current !== null,
    needsScope(scope) {
      challenge = {
        metadataAt: null,
        isDpop: false,
        ...challenge,
        scope: computeScopeUnion(current?.tokens.scope, scope),
      }
    },
    provider: {
      async token() {
        const { tokens, expiresAt } = current ?? {}
        if (tokens && typeof expiresAt === 'number' && expiresAt - now() < SOON_MS) {
          const isFresh = await renew(tokens.access_token)
          // Nothing is sent with a token that is known to be over, where it can't be renewed.
          if (!isFresh && (!current?.tokens.refresh_token || !current) && expiresAt <= now())
            throw new UnauthorizedError()
        }
        return current?.tokens.access_token
      },
      async onUnauthorized({ response }) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        const isOwn = resourceMetadataUrl !== undefined && origins.has(resourceMetadataUrl.origin)
        challenge = {
          metadataAt: isOwn ? resourceMetadataUrl : null,
          scope,
          isDpop: /^dpop\b/i.test(response.headers.get('www-authenticate') ?? ''),
        }
        const used = tokenOf.get(response) ?? current?.tokens.access_token
        if (used === undefined || !(await renew(used))) throw new UnauthorizedError()
      },
    },
    wrap: (next) => async (input, init) => {
      const bound = withDpop(
        () => (current?.key ? sessionOf(current.key) : undefined),
        () => Promise.resolve(current && isBound(current.tokens) ? current.tokens.access_token : undefined),
      )
      const sent = current?.tokens.access_token
      const response = await bound(next)(input, init)
      if (sent !== undefined) tokenOf.set(response, sent)
      return response
    },
  }
}

const isBound = ({ token_type: type }: OAuthTokens): boolean => type.toLowerCase() === 'dpop'

/** https, or this computer. */
const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))

const saysIssuer = (metadata: AuthorizationServerMetadata): boolean =>
  (metadata as { readonly authorization_response_iss_parameter_supported?: unknown })
    .authorization_response_iss_parameter_supported === true

const isOver = ({ code }: OAuthError): boolean =>
  code === 'invalid_grant' || code === 'invalid_client' || code === 'unauthorized_client'

/** 256 random bits. */
const randomState = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

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

/** The server's own word first; with refreshing where the authorization server has that as a scope. */
function scopeOf(
  challenge: Challenge | null,
  described: OAuthProtectedResourceMetadata | undefined,
  { scopes_supported: supported }: AuthorizationServerMetadata,
  current: SignedIn | null,
): string | undefined {
  const listed = described?.scopes_supported?.join(' ')
  const scope = challenge?.scope ? computeScopeUnion(current?.tokens.scope, challenge.scope) : listed
  if (!scope) return undefined
  return supported?.includes('offline_access') ? computeScopeUnion(scope, 'offline_access') : scope
}

/** Both sides must know it: a server that reads only bearer tokens would refuse every request. */
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

const clientMetadata = (redirectTo: string) => ({
  client_name: 'Nod',
  client_uri: new URL(redirectTo).origin,
  redirect_uris: [redirectTo],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: redirectTo.startsWith('https:') ? 'web' : 'native',
})
