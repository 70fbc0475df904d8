import type { JsonObject } from '@/lib/base/json'

export type Role = 'user' | 'admin'

export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly email: string
  /** The address was verified: by a provider, a proxy, or an invitation to it. */
  readonly emailProven: boolean
  readonly owner: string
  readonly role: Role
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly disabledAt: number | null
}

export interface SessionRow {
  readonly id: string
  readonly token: string
  readonly accountId: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** With a precision of five minutes. */
  readonly lastSeenAt: number
  readonly address: string | null
  readonly userAgent: string | null
}

export interface InvitationRow {
  readonly id: string
  readonly kind: 'sign-up' | 'reset'
  readonly email: string | null
  readonly role: Role
  readonly accountId: string | null
  /** Id of the account, or `command`. */
  readonly madeBy: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly revokedAt: number | null
}

/** All actions of administrators. `detail` contains settings and counts, never anyone's text. */
export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly actor: string
  readonly act:
    | 'role-set'
    | 'account-disabled'
    | 'account-enabled'
    | 'account-deleted'
    | 'sessions-revoked'
    | 'invitation-made'
    | 'invitation-revoked'
  readonly target: string
  readonly detail: JsonObject
}

export interface FileLocation {
  readonly browserId: string
  readonly browser: string
  readonly files: number
  readonly at: number
}

/** What administrators change, within their action's transaction. */
export type ActRows = Pick<
  AccountRows,
  'findAccount' | 'listAccounts' | 'setRole' | 'setDisabled' | 'endSessions' | 'addInvitation' | 'revokeInvitation'
>

interface Page {
  readonly limit: number
  /** The last one of the previous page. */
  readonly after?: string
}

/** The rows of accounts. One contract suite runs on both databases (`store-accounts.contract.ts`). */
export interface AccountRows {
  findAccount(id: string): Promise<AccountRow | null>
  /** By address, in lower case. */
  findAccountByEmail(email: string): Promise<AccountRow | null>
  findAccountBySignIn(providerId: string, accountId: string): Promise<AccountRow | null>
  /**
   * Adds an account with this sign-in; returns false, and writes nothing, if its address, owner or sign-in is taken, or
   * its owner moved elsewhere.
   */
  addAccount(
    account: AccountRow,
    signIn: { readonly id: string; readonly providerId: string; readonly accountId: string },
  ): Promise<boolean>
  /** Sorted by address; `query` is searched in address and name. `total` counts all matches. */
  listAccounts(
    query: string,
    page: Page,
  ): Promise<{ readonly accounts: readonly AccountRow[]; readonly total: number; readonly next: string | null }>
  /** False: no such account. */
  setRole(id: string, role: Role): Promise<boolean>
  setDisabled(id: string, at: number | null): Promise<boolean>
  /** The ways in which an account can sign in: `credential`, `oidc`, `header`. */
  signInsOf(id: string): Promise<readonly string[]>
  /** Deletes an account with its sessions and sign-ins; its owner is locked out from then on. */
  deleteAccount(id: string, now: number): Promise<boolean>

  /** Active ones, last seen first. */
  listSessions(accountId: string, now: number): Promise<readonly SessionRow[]>
  /** Which of these sessions and accounts exist, without those of disabled accounts. */
  standing(asked: {
    readonly tokens: readonly string[]
    readonly accounts: readonly string[]
  }): Promise<{ readonly tokens: ReadonlySet<string>; readonly accounts: ReadonlySet<string> }>
  /** Returns how many ended. `but`: all except the one with this token. */
  endSessions(accountId: string, which: { readonly id?: string; readonly but?: string }): Promise<number>

  /** An account has it, or it moved to one. */
  isOwnerTaken(owner: string): Promise<boolean>
  /**
   * A browser's owner moves once, to one account: a new one, or by a move, no matter who is first. Returns true for one
   * caller only, whose new account may have it; if that fails, the caller gives it back.
   */
  claimOwner(owner: string, now: number): Promise<boolean>
  /** Call it if no account was created with the claimed owner. */
  giveOwnerBack(owner: string): Promise<void>
  /** No effect if the owner belongs to an account, or moved to one. */
  recordMove(owner: string, toOwner: string, now: number): Promise<void>
  /**
   * Moves the chats of every unfinished move, one transaction per chat, and presets and defaults if the account has
   * none of its own; a chat whose reply is being written waits. Completes moves in which nothing was left for ten
   * minutes. Returns how many moved, and how many wait.
   */
  moveChats(now: number, onlyFrom?: string): Promise<{ readonly moved: number; readonly waiting: number }>

  addInvitation(invitation: InvitationRow, codeHash: string): Promise<void>
  /** Newest first. */
  listInvitations(page: Page): Promise<{ readonly invitations: readonly InvitationRow[]; readonly next: string | null }>
  /** Returns one that can be used now. */
  findInvitation(codeHash: string, now: number): Promise<InvitationRow | null>
  /** Returns true for one caller only. */
  useInvitation(id: string, now: number): Promise<boolean>
  /** Call it if the action that used it failed. */
  giveInvitationBack(id: string): Promise<void>
  /** False: there is none, or it was used or revoked before. */
  revokeInvitation(id: string, now: number): Promise<boolean>

  /**
   * A change and its audit entry, in one transaction: neither exists without the other. An error of `change` undoes
   * both. Actions run one after the other, on all nodes: the values it reads stay valid until it is done.
   */
  audited<T>(change: (rows: ActRows) => Promise<{ readonly entry: AuditEntry; readonly gives: T }>): Promise<T>
  /** Newest first. */
  listAudit(page: Page): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>

  /** Counts one try in the window that begins at `windowAt`; returns false if `limit` were made in it. */
  countTry(subject: string, windowAt: number, limit: number): Promise<boolean>
  /** Removes a counted try. */
  forgetTry(subject: string, windowAt: number): Promise<void>
  forgetTriesBefore(windowAt: number): Promise<void>

  /** Writes no row for another owner's conversation. */
  recordFilePlace(owner: string, conversationId: string, place: FileLocation): Promise<void>
  listFilePlaces(owner: string, conversationId: string): Promise<readonly FileLocation[]>
}

export type SignInMethod = 'password' | 'oidc' | 'header'

/** The operator's settings (`lib/server/wiring/accounts/account-settings.ts` reads them). */
export interface AccountSettings {
  readonly ways: ReadonlySet<SignInMethod>
  /** New accounts by password or provider need an invitation. */
  readonly inviteOnly: boolean
  /** Users without an account may use the server too. */
  readonly anonymous: boolean
  /** Addresses, in lower case, whose verified owners are administrators. */
  readonly admins: readonly string[]
  /** This server's own origin as browsers see it; needed for providers, which redirect users back to it. */
  readonly publicUrl: string | null
  readonly oidc: OidcSettings | null
  readonly header: HeaderSettings | null
}

export interface OidcSettings {
  /** Without a trailing slash. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Its users' name for it: the button says "Continue with …". */
  readonly label: string
}

export interface HeaderSettings {
  /** Names of headers, in lower case. */
  readonly user: string
  readonly email: string
  /** The value that the proxy sends in `x-nod-proxy-secret`. */
  readonly secret: string
  /** Addresses and ranges from which such requests come. */
  readonly proxies: readonly string[]
}

/** Public facts: the sign-in pages are built from them. */
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
