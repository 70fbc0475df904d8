export type SignInWay = 'password' | 'oidc' | 'header'

/** What the operator chose (`lib/server/wiring/accounts/account-settings.ts` reads it). */
export interface AccountSettings {
  readonly ways: ReadonlySet<SignInWay>
  /** New accounts by password or provider need an invitation. */
  readonly inviteOnly: boolean
  /** Who is not signed in may use the server too. */
  readonly anonymous: boolean
  /** Addresses, in lower case, whose proven holders are administrators. */
  readonly admins: readonly string[]
  /** This server's own origin as browsers see it; needed for providers, who send people back to it. */
  readonly publicUrl: string | null
  readonly oidc: OidcSettings | null
  readonly header: HeaderSettings | null
}

export interface OidcSettings {
  /** Without a slash at the end. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** As its people call it: the button says "Continue with …". */
  readonly label: string
}

export interface HeaderSettings {
  /** Names of headers, in lower case. */
  readonly user: string
  readonly email: string
  /** What the proxy says in `x-nod-proxy-secret`. */
  readonly secret: string
  /** Addresses and ranges from which such requests come. */
  readonly proxies: readonly string[]
}

/** What everybody may know: the pages to sign in are made from it. */
export interface OfferedSignIns {
  readonly password: boolean
  /** The provider's label. */
  readonly oidc: string | null
  readonly header: boolean
  readonly inviteOnly: boolean
  readonly anonymous: boolean
}

export const offeredBy = ({ ways, oidc, inviteOnly, anonymous }: AccountSettings): OfferedSignIns => ({
  password: ways.has('password'),
  oidc: oidc?.label ?? null,
  header: ways.has('header'),
  inviteOnly,
  anonymous,
})
