import type { AccountRow, AccountRows } from '@/lib/shared/server-facts/account-rows'
import type { Store } from '@/lib/server/store/ports/store'
import type { AccountSettings } from '@/lib/shared/server-facts/account-settings'
import type { Auth } from './make-auth'
import type { SignInLimit } from './sign-in-limit'

/** An account with the role that counts: the stored one, or that of `NOD_ADMINS` for a proven address. */
export type Account = AccountRow

/** Who asks, as far as the request tells. */
export interface Caller {
  readonly headers: Headers
  /** Over HTTPS. */
  readonly secure: boolean
  /** Who holds the other end of the connection; null where that is not known. */
  readonly peer: string | null
  /** The visitor's address, behind a trusted proxy too. */
  readonly address: string | null
  /** What tries from there are counted under; null: nobody can be told apart by it. */
  readonly countedAs: string | null
  /** Whose the browser's anonymous chats are. */
  readonly anonymous: string | null
}

export interface SignedIn {
  readonly account: Account
  /** Null: the proxy in front says who it is, with every request. */
  readonly sessionToken: string | null
  /** `Set-Cookie` values that keep the session. */
  readonly cookies: readonly string[]
}

/** What came of signing up or in: cookies, and what became of the chats of the browser. */
export interface Arrival {
  readonly account: Account
  readonly cookies: readonly string[]
  readonly moved: number
  /** Chats that follow when their reply has ended. */
  readonly waiting: number
}

export interface AccountPorts {
  readonly store: Pick<Store, 'accounts' | 'database'>
  readonly settings: AccountSettings
  /** Newest first; what an older one signed is taken. */
  readonly secrets: readonly [string, ...(readonly string[])]
  readonly now: () => number
  readonly newId: () => string
  /** Not to be guessed, for links. */
  readonly newCode: () => string
  readonly log: (what: string, cause: unknown) => void
  /** Does it once, so many milliseconds from now; holds no process open. */
  readonly after: (ms: number, task: () => void) => void
  /** Deletes all that is kept under an owner. */
  readonly forgetOwner: (owner: string) => Promise<void>
}

/** What the parts of the service share. */
export interface AccountContext extends AccountPorts {
  readonly rows: AccountRows
  readonly auths: Auths
  readonly limit: SignInLimit
  readonly withRole: (row: AccountRow) => Account
  readonly isAdminAddress: (email: string) => boolean
}

/** The library's instances: one with the cookies of HTTPS and one without, made when they are first needed. */
export interface Auths {
  of(secure: boolean): Auth
  /** The one that knows the provider, which is asked for its description. Throws AppError `unavailable` while it is away. */
  withOidc(secure: boolean): Promise<Auth>
}
