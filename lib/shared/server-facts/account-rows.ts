import type { JsonObject } from '@/lib/base/json'

export type Role = 'user' | 'admin'

export interface AccountRow {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Someone vouched that the address is theirs: a provider, a proxy, or an invitation to it. */
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
  /** To five minutes. */
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

/** All acts of administrators. `detail` names settings and counts, never what someone wrote. */
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

/** What administrators change, within their act’s transaction. */
export type ActRows = Pick<
  AccountRows,
  'findAccount' | 'listAccounts' | 'setRole' | 'setDisabled' | 'endSessions' | 'addInvitation' | 'revokeInvitation'
>

interface Page {
  readonly limit: number
  /** The last one of the page before. */
  readonly after?: string
}

/** The rows of accounts. One contract suite runs on both databases (`store-accounts.contract.ts`). */
export interface AccountRows {
  findAccount(id: string): Promise<AccountRow | null>
  /** By address, in lower case. */
  findAccountByEmail(email: string): Promise<AccountRow | null>
  findAccountBySignIn(providerId: string, accountId: string): Promise<AccountRow | null>
  /** An account that signs in there alone; false where its address, owner or sign-in is taken, or its owner went elsewhere: nothing was written. */
  addAccount(
    account: AccountRow,
    signIn: { readonly id: string; readonly providerId: string; readonly accountId: string },
  ): Promise<boolean>
  /** By address; `query` is looked for in address and name. `total` counts all that match. */
  listAccounts(
    query: string,
    page: Page,
  ): Promise<{ readonly accounts: readonly AccountRow[]; readonly total: number; readonly next: string | null }>
  /** False: no such account. */
  setRole(id: string, role: Role): Promise<boolean>
  setDisabled(id: string, at: number | null): Promise<boolean>
  /** The ways by which an account can sign in: `credential`, `oidc`, `header`. */
  signInsOf(id: string): Promise<readonly string[]>
  /** With its sessions and ways to sign in; its owner lets no one in from then on. */
  deleteAccount(id: string, now: number): Promise<boolean>

  /** Those that have not ended, last seen first. */
  listSessions(accountId: string, now: number): Promise<readonly SessionRow[]>
  /** Which of these sessions are there, and which of these accounts; not those of accounts that were switched off. */
  standing(asked: {
    readonly tokens: readonly string[]
    readonly accounts: readonly string[]
  }): Promise<{ readonly tokens: ReadonlySet<string>; readonly accounts: ReadonlySet<string> }>
  /** How many ended. `but`: not the one with this token. */
  endSessions(accountId: string, which: { readonly id?: string; readonly but?: string }): Promise<number>

  /** An account has it, or it went to one. */
  isOwnerTaken(owner: string): Promise<boolean>
  /**
   * A browser's owner goes one way, to one account: to that which is made with it, or by a move, no matter who asks first. True for one caller
   * alone, whose new account may have it; one that comes to nothing gives it back.
   */
  claimOwner(owner: string, now: number): Promise<boolean>
  /** No account was made of what was claimed. */
  giveOwnerBack(owner: string): Promise<void>
  /** Nothing where the owner is an account's, or went to one. */
  noteMove(owner: string, toOwner: string, now: number): Promise<void>
  /**
   * Takes the chats along of every move that is not settled, a transaction a chat, and presets and defaults where the account has
   * none of its own; a chat whose reply is being written waits.
   * Settles moves in which nothing was left for ten minutes. Gives how many went, and how many wait.
   */
  moveChats(now: number, onlyFrom?: string): Promise<{ readonly moved: number; readonly waiting: number }>

  addInvitation(invitation: InvitationRow, codeHash: string): Promise<void>
  /** Newest first. */
  listInvitations(page: Page): Promise<{ readonly invitations: readonly InvitationRow[]; readonly next: string | null }>
  /** One that can be used now. */
  findInvitation(codeHash: string, now: number): Promise<InvitationRow | null>
  /** True for one caller alone. */
  useInvitation(id: string, now: number): Promise<boolean>
  /** What it was used for failed. */
  giveInvitationBack(id: string): Promise<void>
  /** False: there is none, or it was used or revoked before. */
  revokeInvitation(id: string, now: number): Promise<boolean>

  /**
   * A change and its line of the audit, in one transaction: neither is there without the other. What `change` throws undoes both. One act
   * after the other, on all nodes: what it reads stands until it is done.
   */
  audited<T>(change: (rows: ActRows) => Promise<{ readonly entry: AuditEntry; readonly gives: T }>): Promise<T>
  /** Newest first. */
  listAudit(page: Page): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>

  /** Counts one try in the window that begins at `windowAt`; false: `limit` were made in it. */
  countTry(subject: string, windowAt: number, limit: number): Promise<boolean>
  /** One that was counted was none. */
  forgetTry(subject: string, windowAt: number): Promise<void>
  forgetTriesBefore(windowAt: number): Promise<void>

  /** No row for a conversation that is not the owner's. */
  noteFilePlace(owner: string, conversationId: string, place: FileLocation): Promise<void>
  listFilePlaces(owner: string, conversationId: string): Promise<readonly FileLocation[]>
}

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

/** What everyone may know: the pages to sign in are made from it. */
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
