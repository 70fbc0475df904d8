/*
 * The tables of accounts. better-auth's tables follow its own conventions: camel case, times in the database's format
 * (ISO text on SQLite, `timestamptz` on PostgreSQL). Their key is the account, because a sign-in must find it before
 * the owner is known. Rows of the server itself have the owner `SYSTEM_OWNER`: one small partition.
 */

/** The owner of the server's own rows. No cookie can name it, because owners are UUIDs. */
export const SYSTEM_OWNER = 'house'

export interface AccountTables {
  auth_user: AuthUserTable
  auth_session: AuthSessionTable
  auth_account: AuthAccountTable
  owner_moves: OwnerMoveTable
  invitations: InvitationTable
  audit: AuditTable
  sign_in_tries: SignInTriesTable
  file_places: FilePlaceTable
}

export interface AuthUserTable {
  id: string
  name: string
  email: string
  emailVerified: boolean | number
  image: string | null
  createdAt: Date | string
  updatedAt: Date | string
  /** The owner of this account's chats. */
  owner: string
  role: 'user' | 'admin'
  disabledAt: number | null
}

interface AuthSessionTable {
  id: string
  expiresAt: Date | string
  token: string
  createdAt: Date | string
  updatedAt: Date | string
  ipAddress: string | null
  userAgent: string | null
  userId: string
}

interface AuthAccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  password: string | null
  createdAt: Date | string
  updatedAt: Date | string
}

/** An anonymous owner whose chats moved to an account; it grants no access any more. */
interface OwnerMoveTable {
  owner: string
  /** '': the account is deleted, nothing moves any more. */
  to_owner: string
  at: number
  /** 1: nothing is left to move. */
  settled: number
}

export interface InvitationTable {
  owner: typeof SYSTEM_OWNER
  id: string
  kind: 'sign-up' | 'reset'
  /** SHA-256: reading the database does not give a usable link. */
  code_hash: string
  /** Valid for this address only. */
  email: string | null
  role: 'user' | 'admin'
  /** The account whose password is reset. */
  account_id: string | null
  made_by: string
  created_at: number
  expires_at: number
  used_at: number | null
  revoked_at: number | null
}

/** The administrators' audit log. Append-only. */
export interface AuditTable {
  owner: typeof SYSTEM_OWNER
  id: string
  at: number
  /** The id of the account, or `command`. */
  actor: string
  act: string
  /** The id of the affected account or invitation. */
  target: string
  /** JSON; never contains content that users wrote. */
  detail: string
}

interface SignInTriesTable {
  owner: typeof SYSTEM_OWNER
  /** A keyed hash of an address or of an account's e-mail. */
  subject: string
  window_at: number
  tries: number
}

/** Which browser has how many files of a conversation. */
interface FilePlaceTable {
  owner: string
  conversation_id: string
  browser_id: string
  /** Named for people: `Firefox on Linux`. */
  browser: string
  files: number
  at: number
}

/*
 * The tables of quotas; the rules of `schema.ts` apply. `owner` may be a subject that is not a person
 * (`store.ts`).
 */
export interface QuotaTables {
  quotas: QuotaTable
  run_claims: RunClaimTable
  usage: UsageTable
  owners: OwnerTable
}

/** What was used in one time window. */
interface QuotaTable {
  owner: string
  name: string
  starts_at: number
  ends_at: number
  n: number
}

/** What a reply holds from its append to its end: a slot, and its reserved tokens. */
export interface RunClaimTable {
  /** The person, or in a second row the address that the request came from. */
  owner: string
  run_id: string
  /** The person, in every row. */
  claimed_by: string
  conversation_id: string
  /** 0 or 1: it is queued. */
  waits: number
  /** The place in the queue, from 1; 0 while it is unknown. */
  place: number
  address: string | null
  model: string
  tokens_in: number
  tokens_out: number
  /** JSON of the quotas that the tokens were taken from. */
  budgets: string
  claimed_at: number
}

interface UsageTable {
  owner: string
  /** Midnight UTC, epoch ms. */
  day: number
  model: string
  replies: number
  tokens_in: number
  tokens_out: number
  /** How many of them have an estimate, because their provider reported no numbers. */
  estimated: number
}

interface OwnerTable {
  owner: string
  /** `account` for someone who can sign in from anywhere, `visitor` for someone known only by a cookie. */
  kind: string
  first_seen: number
  last_seen: number
}
