/*
 * The tables of accounts. Those of better-auth are its own: camel case, times as the database has them (ISO text on SQLite,
 * `timestamptz` on PostgreSQL); they are keyed by the account, for a sign-in must find it before an owner is known.
 * What belongs to the server and not to one owner stands under the owner `SYSTEM_OWNER`: one small partition.
 */

/** The owner of rows that are the server's own. No cookie names it: owners are UUIDs. */
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
  /** Whose chats are this account's. */
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

/** An anonymous owner whose chats went to an account; nobody is let in under it any more. */
interface OwnerMoveTable {
  owner: string
  /** '' : the account is deleted, nothing goes anywhere. */
  to_owner: string
  at: number
  /** 1: nothing is left to move. */
  settled: number
}

export interface InvitationTable {
  owner: typeof SYSTEM_OWNER
  id: string
  kind: 'sign-up' | 'reset'
  /** SHA-256: who reads the database can't use the link. */
  code_hash: string
  /** For this address alone. */
  email: string | null
  role: 'user' | 'admin'
  /** Whose password is set again. */
  account_id: string | null
  made_by: string
  created_at: number
  expires_at: number
  used_at: number | null
  revoked_at: number | null
}

/** What administrators did. Only ever added to. */
export interface AuditTable {
  owner: typeof SYSTEM_OWNER
  id: string
  at: number
  /** Id of the account, or `command`. */
  actor: string
  act: string
  /** Id of what it was done to. */
  target: string
  /** JSON; never what someone wrote. */
  detail: string
}

interface SignInTriesTable {
  owner: typeof SYSTEM_OWNER
  /** A keyed hash of an address or of an account's e-mail. */
  subject: string
  window_at: number
  tries: number
}

/** Which browser holds how many files of a conversation. */
interface FilePlaceTable {
  owner: string
  conversation_id: string
  browser_id: string
  /** As its person would name it: `Firefox on Linux`. */
  browser: string
  files: number
  at: number
}

/* The tables of fair use; the rules of `schema.ts` hold. `owner` may be a subject that is no person (`subjects.ts`). */
export interface QuotaTables {
  quotas: QuotaTable
  run_claims: RunClaimTable
  usage: UsageTable
  owners: OwnerTable
}

/** What was taken in one window of time. */
interface QuotaTable {
  owner: string
  name: string
  starts_at: number
  ends_at: number
  n: number
}

/** What a reply holds from its append to its end: a place, and the tokens that were set aside for it. */
export interface RunClaimTable {
  /** The person, or once more the address that the reply was asked from. */
  owner: string
  run_id: string
  /** The person, in every row. */
  claimed_by: string
  conversation_id: string
  /** 0 or 1: it stands in the queue. */
  waits: number
  /** In the queue, from 1; 0 while that is not known. */
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
  /** Replies of them whose provider said no numbers. */
  estimated: number
}

interface OwnerTable {
  owner: string
  /** `account` for someone who can come back from anywhere, `visitor` for who is known by a cookie alone. */
  kind: string
  first_seen: number
  last_seen: number
}
