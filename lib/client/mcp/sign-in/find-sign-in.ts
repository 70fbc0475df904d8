import {
  computeScopeUnion,
  discoverOAuthServerInfo,
  selectResourceURL,
  type AuthorizationServerMetadata,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import { SignInFailed, type SignInRequests } from './sign-in-requests'
import { OriginsNeeded, type Challenge, type ClientRegistration, type SignInStep } from './sign-in-steps'

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
