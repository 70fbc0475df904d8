import {
  computeScopeUnion,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  generateDpopKeyPair,
  registerClient,
  startAuthorization,
  UnauthorizedError,
  validateAuthorizationResponseIssuer,
  withDpop,
  type AuthorizationServerMetadata,
  type AuthProvider,
  type DpopKeyPair,
  type Middleware,
  type OAuthClientInformationMixed,
} from '@modelcontextprotocol/client'
import { isOver, msUntil } from '@/lib/base/clocks'
import {
  findSignIn,
  type Found,
  createSignInRequests,
  SignInFailed,
  type SignInRequestPorts,
  type SignInRequests,
} from './sign-in-requests'
import type { Challenge, PastedClient, SignInOffer, SignInResult, SignInReturn, SignInStep } from './sign-in-steps'
import { holdSignIn, isBound, tokensOfApp, type SignedInPorts } from './signed-in'

/*
 * The sign-in to one tool server, inside its worker (OAuth 2.1 with PKCE). Tokens never leave the worker, except to the
 * server and to its authorization server.
 */

export type SignInPorts = SignInRequestPorts & Omit<SignedInPorts, 'requests'>

/** A window is open. */
interface Begun {
  readonly found: Found
  readonly client: OAuthClientInformationMixed
  readonly state: string
  readonly verifier: string
  readonly key: DpopKeyPair | null
  readonly keep: boolean
}

export interface SignIn {
  /** Does a step for the page. Throws `OriginsNeeded` if the policy must be widened first. */
  take(step: SignInStep): Promise<SignInResult>
  /** Reads the kept sign-in of this server. Throws `OriginsNeeded`. */
  restore(url: string): Promise<void>
  isSignedIn(): boolean
  /** For the worker that replaces this one. */
  challenge(): Challenge | null
  /** More scopes are needed than the sign-in has. */
  needsScope(scope: string | undefined): void
  readonly provider: AuthProvider
  /** Adds proofs of possession to requests to the server, and records which token a refused request had. */
  readonly wrap: Middleware
}

/** A token that expires this soon is renewed before a request, ms. */
const SOON_MS = 20_000

export function createSignIn(ports: SignInPorts): SignIn {
  const { origins, now } = ports
  const requests = createSignInRequests(ports)
  const held = holdSignIn({ ...ports, requests })
  let found: Found | null = null
  let started: Begun | null = null
  let challenge: Challenge | null = null
  const registered = new Map<string, OAuthClientInformationMixed>()
  /** Which token a refused request had. */
  const tokenOf = new WeakMap<Response, string>()

  async function begin(pasted: PastedClient | null, keep: boolean): Promise<SignInResult> {
    if (!found) throw new SignInFailed({ why: 'wrong-state' })
    const { metadata, issuer, redirectTo, scope, resource, usesDpop: proves } = found
    const { host } = new URL(metadata.authorization_endpoint)
    const one = found
    if (one.way === 'app') {
      await beginApp(one, pasted, keep, { requests, held })
      challenge = null
      return { is: 'signed-in' }
    }
    const client = await clientOf(one, pasted, { registered, requests })
    const key = proves ? await generateDpopKeyPair() : null
    const state = randomState()
    const { authorizationUrl, codeVerifier } = await requests.watched(host, () =>
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
    // A code in a fragment does not even reach the server of this app.
    if (metadata.response_modes_supported?.includes('fragment'))
      authorizationUrl.searchParams.set('response_mode', 'fragment')
    started = { found: one, client, state, verifier: codeVerifier, key, keep }
    return { is: 'begun', address: authorizationUrl.href, state }
  }

  async function finish({ state, code, iss, error }: SignInReturn): Promise<SignInResult> {
    if (!started || started.state !== state) throw new SignInFailed({ why: 'wrong-state' })
    const { found: one, client, verifier, key, keep } = started
    const { metadata, issuer, redirectTo, resource, url } = one
    const { host } = new URL(metadata.authorization_endpoint)
    started = null
    await requests.watched(host, async () =>
      // Validated before any returned value is used.
      validateAuthorizationResponseIssuer({
        iss: iss ?? undefined,
        expectedIssuer: metadata.issuer,
        issParameterSupported: namesIssuer(metadata),
      }),
    )
    if (error !== null || code === null) {
      if (error === 'access_denied') throw new SignInFailed({ why: 'denied', host })
      throw new SignInFailed({ why: 'refused', host, message: (error ?? '').slice(0, 300) })
    }
    const dpop = key && (await held.sessionOf(key))
    const tokens = await requests.watched(host, () =>
      exchangeAuthorization(issuer, {
        metadata,
        clientInformation: client,
        authorizationCode: code,
        codeVerifier: verifier,
        redirectUri: redirectTo,
        resource,
        fetchFn: requests.fetch,
        ...(iss !== null && { iss }),
        ...(dpop && { dpop }),
      }),
    )
    challenge = null
    await held.begin({ metadata, client, resource, tokens, key: isBound(tokens) ? key : null }, { from: url, keep })
    return { is: 'signed-in' }
  }

  async function take(step: SignInStep): Promise<SignInResult> {
    switch (step.step) {
      case 'find': {
        const granted = held.now()?.tokens.scope
        challenge ??= step.challenge ?? null
        found = await findSignIn(step, { requests, origins, challenge, granted })
        if (!found.isDescribed) await mustRegister(found, { registered, requests })
        return { is: 'found', offer: offerOf(found) }
      }
      case 'begin':
        return begin(step.client, step.keep)
      case 'finish':
        return finish(step.returned)
      case 'forget':
        started = null
        await held.forget(step.url)
        return { is: 'forgotten' }
    }
  }

  const dpopSession = () => {
    const key = held.now()?.key
    return key ? held.sessionOf(key) : undefined
  }
  const boundToken = () => {
    const tokens = held.now()?.tokens
    return Promise.resolve(tokens && isBound(tokens) ? tokens.access_token : undefined)
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
    restore: (url) => held.restore(url),
    isSignedIn: () => held.now() !== null,
    challenge: () => challenge,
    needsScope(scope) {
      challenge = {
        metadataAt: null,
        isDpop: false,
        ...challenge,
        scope: computeScopeUnion(held.now()?.tokens.scope, scope),
      }
    },
    provider: {
      async token() {
        const { tokens, expiresAt } = held.now() ?? {}
        if (tokens && typeof expiresAt === 'number' && msUntil(expiresAt, now()) < SOON_MS) {
          const isFresh = await held.renew(tokens.access_token)
          // Nothing is sent with an expired token if it can't be renewed.
          if (!isFresh && !held.now()?.tokens.refresh_token && isOver(expiresAt, now())) throw new UnauthorizedError()
        }
        return held.now()?.tokens.access_token
      },
      async onUnauthorized({ response }) {
        const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
        const isOwn = resourceMetadataUrl !== undefined && origins.has(resourceMetadataUrl.origin)
        challenge = {
          metadataAt: isOwn ? resourceMetadataUrl.href : null,
          scope,
          isDpop: /^dpop\b/i.test(response.headers.get('www-authenticate') ?? ''),
        }
        const used = tokenOf.get(response) ?? held.now()?.tokens.access_token
        if (used === undefined || !(await held.renew(used))) throw new UnauthorizedError()
      },
    },
    wrap: (next) => async (input, init) => {
      const sent = held.now()?.tokens.access_token
      const response = await withDpop(dpopSession, boundToken)(next)(input, init)
      if (sent !== undefined) tokenOf.set(response, sent)
      return response
    },
  }
}

/** No window opens: the client signs in for itself. */
async function beginApp(
  { metadata, resource, scope, url }: Found,
  pasted: PastedClient | null,
  keep: boolean,
  { requests, held }: { readonly requests: SignInRequests; readonly held: ReturnType<typeof holdSignIn> },
): Promise<void> {
  const { host } = new URL(metadata.token_endpoint)
  if (!pasted) throw new SignInFailed({ why: 'not-registered', host })
  const app = { ...pasted, scope }
  const tokens = await requests.watched(host, () => tokensOfApp(app, { metadata, resource, requests }))
  await held.begin({ metadata, client: { client_id: app.id }, resource, tokens, key: null, app }, { from: url, keep })
}

function offerOf({ metadata, scope, way, needsSecret }: Found): SignInOffer {
  const scopes = (scope ?? '').split(' ').filter((one) => one !== '')
  const { host } = new URL(metadata.authorization_endpoint)
  const ends = new URL(metadata.token_endpoint).host
  return { host, tokensAt: ends === host ? null : ends, scopes, way, needsSecret }
}

/** A server that describes nothing may also want an API key: it signs in only if it registers this app. */
async function mustRegister(found: Found, ports: Parameters<typeof clientOf>[2]): Promise<void> {
  await clientOf(found, null, ports).catch(() => {
    throw new SignInFailed({ why: 'not-described' })
  })
}

const namesIssuer = (metadata: AuthorizationServerMetadata): boolean =>
  (metadata as { readonly authorization_response_iss_parameter_supported?: unknown })
    .authorization_response_iss_parameter_supported === true

/** 256 random bits. */
const randomState = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** How the authorization server identifies this app; registered once per worker. */
async function clientOf(
  { way, issuer, metadata, documentAt, redirectTo, scope }: Found,
  pasted: PastedClient | null,
  {
    registered,
    requests,
  }: {
    readonly registered: Map<string, OAuthClientInformationMixed>
    readonly requests: SignInRequests
  },
): Promise<OAuthClientInformationMixed> {
  if (pasted) return { client_id: pasted.id, ...(pasted.secret !== '' && { client_secret: pasted.secret }) }
  if (way === 'document' && documentAt !== null) return { client_id: documentAt }
  const known = registered.get(issuer)
  if (known) return known
  const { host } = new URL(metadata.authorization_endpoint)
  if (way === 'pasted') throw new SignInFailed({ why: 'not-registered', host })
  try {
    const client = await registerClient(issuer, {
      metadata,
      clientMetadata: clientMetadata(redirectTo),
      fetchFn: requests.fetch,
      ...(scope !== undefined && { scope }),
    })
    registered.set(issuer, client)
    return client
  } catch {
    // It refused, or it answers without CORS. The next step is the same.
    throw new SignInFailed({ why: 'not-registered', host })
  }
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
