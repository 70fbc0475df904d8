/* The sign-in messages between the page and the worker of a tool server. None contains a token. */

/**
 * How an authorization server identifies this app: it reads our document, it registers us, or the user pastes a client
 * id. `app`: it signs in no people; the user pastes a client id with its secret, and no window opens.
 */
export type ClientRegistration = 'document' | 'registration' | 'pasted' | 'app'

/** A client that the user registered at the authorization server. */
export interface PastedClient {
  readonly id: string
  /** A secret, or a private key in PEM (PKCS #8). '': none. */
  readonly secret: string
}

export interface SignInOffer {
  /** The host that the window opens. */
  readonly host: string
  /** The host that receives the window's result, if it is another one: the two may not belong together. */
  readonly tokensAt: string | null
  /** The requested scopes, in the server's own words; foreign text. */
  readonly scopes: readonly string[]
  readonly way: ClientRegistration
  /** A pasted client works only with its secret. */
  readonly needsSecret: boolean
}

/** Why a sign-in does not continue. `host` is the authorization server's, if known. */
export type SignInProblem =
  /** The server does not say where to sign in. */
  | { readonly why: 'not-described' }
  | { readonly why: 'unreached'; readonly host: string }
  /** It took too long, or sent too much. */
  | { readonly why: 'no-answer'; readonly host: string }
  | { readonly why: 'blocked'; readonly host: string }
  /** Neither https nor this computer. */
  | { readonly why: 'insecure'; readonly host: string }
  | { readonly why: 'no-pkce'; readonly host: string }
  /** Another issuer than expected. */
  | { readonly why: 'wrong-issuer'; readonly host: string }
  /** The server describes the sign-in of another server. */
  | { readonly why: 'wrong-resource' }
  /** The returned parameters do not belong to this sign-in. */
  | { readonly why: 'wrong-state' }
  /** The private key can't be read, or has no algorithm that the authorization server accepts. */
  | { readonly why: 'bad-key'; readonly host: string }
  /** It does not register this app: a client id must be pasted. */
  | { readonly why: 'not-registered'; readonly host: string }
  | { readonly why: 'denied'; readonly host: string }
  /** `message` is foreign text. */
  | { readonly why: 'refused'; readonly host: string; readonly message: string }

/** The parameters with which the authorization server sent the window back. */
export interface SignInReturn {
  readonly state: string
  readonly code: string | null
  readonly iss: string | null
  readonly error: string | null
}

/** The server's response when it refused a request. */
export interface Challenge {
  /** The address of its sign-in metadata. */
  readonly metadataAt: string | null
  readonly scope: string | undefined
  readonly isDpop: boolean
}

export type SignInStep =
  | {
      readonly step: 'find'
      readonly url: string
      /** The page of this app that the window returns to. */
      readonly redirectTo: string
      /** The address of this app's client metadata document; null if others can't read it. */
      readonly documentAt: string | null
      /** The challenge that the previous worker received. */
      readonly challenge?: Challenge | null
    }
  /** `keep`: in this browser, for later visits. */
  | { readonly step: 'begin'; readonly client: PastedClient | null; readonly keep: boolean }
  | { readonly step: 'finish'; readonly returned: SignInReturn }
  | { readonly step: 'forget'; readonly url: string }

export type SignInResult =
  | { readonly is: 'found'; readonly offer: SignInOffer }
  | { readonly is: 'begun'; readonly address: string; readonly state: string }
  | { readonly is: 'signed-in' }
  | { readonly is: 'forgotten' }
  | { readonly is: 'problem'; readonly problem: SignInProblem }

/** Thrown inside the worker: its policy must name these origins first. */
export class OriginsNeeded extends Error {
  readonly origins: readonly string[]
  constructor(origins: readonly string[]) {
    super(origins.join(' '))
    this.name = 'OriginsNeeded'
    this.origins = origins
  }
}
