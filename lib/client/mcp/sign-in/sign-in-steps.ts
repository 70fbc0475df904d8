/* What the page and the worker of a tool server say to each other about signing in. No token is in any of it. */

/** How an authorization server gets to know this app: it reads our document, it registers us, or the user pastes a client id. */
export type ClientWay = 'document' | 'registration' | 'pasted'

export interface SignInOffer {
  /** Where the window leads. */
  readonly host: string
  /** Who gets what the window comes back with, where that is another host: the two may not belong together. */
  readonly tokensAt: string | null
  /** What is asked for, in the server's own words; foreign text. */
  readonly scopes: readonly string[]
  readonly way: ClientWay
}

/** Why a sign-in does not go on. `host` is the authorization server's, where it is known. */
export type SignInProblem =
  /** The server does not say where to sign in. */
  | { readonly why: 'not-described' }
  | { readonly why: 'unreached'; readonly host: string }
  /** It took too long, or gave too much. */
  | { readonly why: 'no-answer'; readonly host: string }
  | { readonly why: 'blocked'; readonly host: string }
  /** Neither https nor this computer. */
  | { readonly why: 'insecure'; readonly host: string }
  | { readonly why: 'no-pkce'; readonly host: string }
  /** Another issuer than the one that was asked. */
  | { readonly why: 'wrong-issuer'; readonly host: string }
  /** The server describes the sign-in of another server. */
  | { readonly why: 'wrong-resource' }
  /** What came back does not belong to this sign-in. */
  | { readonly why: 'wrong-state' }
  /** It does not register this app: a client id must be pasted. */
  | { readonly why: 'not-registered'; readonly host: string }
  | { readonly why: 'denied'; readonly host: string }
  /** `message` is foreign text. */
  | { readonly why: 'refused'; readonly host: string; readonly message: string }

/** What the authorization server sent the window back with. */
export interface SignInReturn {
  readonly state: string
  readonly code: string | null
  readonly iss: string | null
  readonly error: string | null
}

/** What the server said when it refused a request. */
export interface Challenge {
  /** Where it describes its sign-in. */
  readonly metadataAt: string | null
  readonly scope: string | undefined
  readonly isDpop: boolean
}

export type SignInStep =
  | {
      readonly step: 'find'
      readonly url: string
      /** The page of this app that the window comes back to. */
      readonly redirectTo: string
      /** The address of this app's client metadata document; null where it has none that others can read. */
      readonly documentAt: string | null
      /** What the worker before this one was told. */
      readonly challenge?: Challenge | null
    }
  /** `keep`: in this browser, for later visits. */
  | { readonly step: 'begin'; readonly clientId: string | null; readonly keep: boolean }
  | { readonly step: 'finish'; readonly returned: SignInReturn }
  | { readonly step: 'forget'; readonly url: string }

export type SignInResult =
  | { readonly is: 'found'; readonly offer: SignInOffer }
  | { readonly is: 'begun'; readonly address: string; readonly state: string }
  | { readonly is: 'signed-in' }
  | { readonly is: 'forgotten' }
  | { readonly is: 'problem'; readonly problem: SignInProblem }

/** Thrown inside the worker: its policy has to name these origins first. */
export class OriginsNeeded extends Error {
  readonly origins: readonly string[]
  constructor(origins: readonly string[]) {
    super(origins.join(' '))
    this.name = 'OriginsNeeded'
    this.origins = origins
  }
}
