import {
  ClientCredentialsProvider,
  DpopSession,
  fetchToken,
  OAuthError,
  PrivateKeyJwtProvider,
  refreshAuthorization,
  type AuthorizationServerMetadata,
  type DpopKeyPair,
  type OAuthClientInformationMixed,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { SignInFailed, type SignInRequests } from './sign-in-requests'
import { OriginsNeeded, type PastedClient } from './sign-in-steps'

/*
 * Sign-ins that the user chose to keep in this browser, by the server's address. Only the worker of that server reads
 * them. A key for DPoP is stored beside its tokens and can't be exported, so a copied token alone is worthless.
 */

export interface StoredSignIns<T> {
  get(url: string): Promise<T | null>
  put(url: string, signIn: T): Promise<void>
  remove(url: string): Promise<void>
}

const STORE = 'sign-ins'

/** `name`: the database's name, one per user. A browser without storage has no kept sign-ins. */
export function createStoredSignIns<T>(factory: () => IDBFactory, name: string): StoredSignIns<T> {
  async function ask<R>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => IDBRequest<R>): Promise<R> {
    const database = await open(factory(), name)
    try {
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      return await new Promise<R>((resolve, reject) => {
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
      })
    } finally {
      // An open database would block its deletion.
      database.close()
    }
  }
  return {
    async get(url) {
      const row: { readonly signIn: T } | undefined = await ask('readonly', (rows) => rows.get(url)).catch(
        () => undefined,
      )
      return row?.signIn ?? null
    },
    put: async (url, signIn) => void (await ask('readwrite', (rows) => rows.put({ url, signIn }))),
    remove: (url) => ask('readwrite', (rows) => rows.delete(url)).catch(() => undefined),
  }
}

const open = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'url' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'))
  })

/** An existing sign-in. Stored unchanged if the user chose to keep it. */
export interface SignedIn {
  readonly metadata: AuthorizationServerMetadata
  readonly client: OAuthClientInformationMixed
  readonly resource: string
  readonly tokens: OAuthTokens
  /** Wall clock, ms; null if the authorization server does not say. */
  readonly expiresAt: number | null
  readonly key: DpopKeyPair | null
  /** Only an app signs in there: new tokens need no person and no refresh token. */
  readonly app?: AppClient
}

/** A client that signs in without a person. */
interface AppClient extends PastedClient {
  readonly scope: string | undefined
}

export interface SignedInPorts {
  readonly requests: SignInRequests
  readonly origins: ReadonlySet<string>
  readonly kept: StoredSignIns<SignedIn>
  /** Runs one at a time in all tabs of this browser. */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

/** The longest time that signing out takes. */
const REVOKE_MS = 3_000

/** The sign-in of this worker: in memory, and also in the browser if the user chose to keep it. */
export function holdSignIn({ requests, origins, kept, inTurn, now }: SignedInPorts) {
  let current: SignedIn | null = null
  /** The address under which `current` is kept; null: in memory only. */
  let keptAs: string | null = null
  let session: { readonly key: DpopKeyPair; readonly dpop: Promise<DpopSession> } | null = null

  async function renew(used: string): Promise<boolean> {
    const before = current
    if (!before) return false
    return inTurn(`nod-sign-in ${before.metadata.issuer} ${before.client.client_id}`, async () => {
      // Another tab or another request may have renewed it, or have signed out.
      if (keptAs !== null) await adopt(keptAs)
      if (!current) return false
      if (current.tokens.access_token !== used) return true
      const { tokens } = current
      if (tokens.refresh_token === undefined && !current.app) return false
      try {
        const next = await newTokens(current, tokens.refresh_token)
        // A server that leaves the scope out means the previous one.
        current = {
          ...current,
          tokens: { ...(tokens.scope !== undefined && { scope: tokens.scope }), ...next },
          expiresAt: endOf(next, now()),
        }
        if (keptAs !== null) await kept.put(keptAs, current).catch(() => {})
        return true
      } catch (error) {
        // The token was used up or revoked. If the server could not be reached, it may still be valid.
        if (error instanceof OAuthError && isOver(error)) await drop()
        return false
      }
    })
  }

  async function newTokens(
    { metadata, client, resource, key, app }: SignedIn,
    refreshToken = '',
  ): Promise<OAuthTokens> {
    if (app) return tokensOfApp(app, { metadata, resource, requests })
    const dpop = key && (await sessionOf(key))
    return refreshAuthorization(metadata.issuer, {
      metadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: requests.fetch,
      ...(dpop && { dpop }),
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

  /** Revokes the tokens (RFC 7009) at their issuer and nowhere else. They are forgotten here whatever the outcome. */
  async function revoke({ metadata, client, tokens }: SignedIn): Promise<void> {
    const at: unknown = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : null
    if (typeof at !== 'string' || !URL.canParse(at)) return
    const { origin } = new URL(metadata.token_endpoint)
    if (new URL(at).origin !== origin || !origins.has(origin)) return
    const all = [
      ['refresh_token', tokens.refresh_token],
      ['access_token', tokens.access_token],
    ] as const
    await Promise.allSettled(
      all.map(async ([hint, token]) => {
        if (token === undefined) return
        await requests.fetch(at, {
          method: 'POST',
          body: new URLSearchParams({ token, token_type_hint: hint, client_id: client.client_id }),
          ...(client.client_secret !== undefined && {
            headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
          }),
          signal: AbortSignal.timeout(REVOKE_MS),
        })
      }),
    )
  }

  function sessionOf(key: DpopKeyPair): Promise<DpopSession> {
    if (session?.key.thumbprint !== key.thumbprint) session = { key, dpop: DpopSession.create({ keyPair: key }) }
    return session.dpop
  }

  return {
    now: () => current,
    sessionOf,
    drop,
    /** Renews the token `used`, once in all tabs. False: the sign-in has ended. */
    renew,
    /** `from`: the server's address, under which it is kept; if it is not to be kept, any kept sign-in is removed. */
    async begin(
      signIn: Omit<SignedIn, 'expiresAt'>,
      { from, keep }: { readonly from: string; readonly keep: boolean },
    ) {
      current = { ...signIn, expiresAt: endOf(signIn.tokens, now()) }
      keptAs = keep ? from : null
      if (keep) await kept.put(from, current).catch(() => (keptAs = null))
      else await kept.remove(from)
    },
    async forget(url: string): Promise<void> {
      const before = current ?? (await kept.get(url))
      await drop()
      await kept.remove(url)
      if (before) await revoke(before)
    },
    /** Reads the kept sign-in of a server. Throws `OriginsNeeded`. */
    async restore(url: string): Promise<void> {
      if (current) return
      const stored = await kept.get(url)
      if (!stored) return
      const end = new URL(stored.metadata.token_endpoint).origin
      if (!origins.has(end)) throw new OriginsNeeded([end])
      current = stored
      keptAs = url
    },
  }
}

/** Signs in without a person, with a secret or a private key. Throws like the SDK, and `SignInFailed`. */
export async function tokensOfApp(
  { id, secret, scope }: AppClient,
  { metadata, resource, requests }: Pick<SignedIn, 'metadata' | 'resource'> & { readonly requests: SignInRequests },
): Promise<OAuthTokens> {
  const client = { clientId: id, expectedIssuer: metadata.issuer, ...(scope !== undefined && { scope }) }
  const asked = { metadata, resource, fetchFn: requests.fetch, ...(scope !== undefined && { scope }) }
  if (!secret.startsWith('-----BEGIN')) {
    return fetchToken(new ClientCredentialsProvider({ ...client, clientSecret: secret }), metadata.issuer, asked)
  }
  const algorithm = await algorithmOf(secret, metadata)
  if (algorithm === null) throw new SignInFailed({ why: 'bad-key', host: new URL(metadata.token_endpoint).host })
  return fetchToken(new PrivateKeyJwtProvider({ ...client, privateKey: secret, algorithm }), metadata.issuer, asked)
}

const keyKinds = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  ES384: { name: 'ECDSA', namedCurve: 'P-384' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
} as const

/** The first algorithm that the authorization server accepts and that this key has; null: none. */
async function algorithmOf(
  pem: string,
  { token_endpoint_auth_signing_alg_values_supported: accepted = ['ES256', 'RS256'] }: AuthorizationServerMetadata,
): Promise<string | null> {
  for (const [algorithm, kind] of Object.entries(keyKinds)) {
    if (!accepted.includes(algorithm)) continue
    try {
      const bytes = Uint8Array.from(atob(pem.replaceAll(/-----[^-]*-----|\s/g, '')), (char) => char.charCodeAt(0))
      await crypto.subtle.importKey('pkcs8', bytes, kind, false, ['sign'])
      return algorithm
    } catch {
      // A key of another kind.
    }
  }
  return null
}

export const isBound = ({ token_type: type }: OAuthTokens): boolean => type.toLowerCase() === 'dpop'

/** Wall clock, ms. */
const endOf = ({ expires_in: seconds }: OAuthTokens, now: number): number | null =>
  seconds === undefined ? null : now + seconds * 1_000

const isOver = ({ code }: OAuthError): boolean =>
  code === 'invalid_grant' || code === 'invalid_client' || code === 'unauthorized_client'
