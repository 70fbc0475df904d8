import type { AccountRow, AccountRows, AccountSettings } from '@/lib/shared/server-facts/account-rows'
import type { Store } from '@/lib/server/store/ports/store'
import {
  type Auth,
  SESSION_SECONDS,
  ADDRESS_HEADER,
  nameOfSessionCookie,
  readSessionCookie,
  type SessionCookie,
  type PasswordHashes,
} from './make-auth'
import { cookiePath } from '@/lib/base/base-path'
import { msUntil } from '@/lib/base/clocks'
import { createHmac } from 'node:crypto'
import { makeError } from '@/lib/i18n/t'

const WINDOW_MS = 15 * 60_000
/**
 * Someone who mistypes; an office behind one address; an account that many try from everywhere. Where no address is known, only the
 * last one counts: a limit of one address would be a limit of everyone, and ten guesses would lock the account's owner out.
 */
const LIMITS = { 'account-from-address': 10, address: 60, account: 100 }

interface SignInLimit {
  /**
   * Counts a try before it is made, so that many at once are counted too, on all nodes together. Throws AppError
   * `rate-limited` with the seconds to wait. Gives what takes it back: a sign-in that went well was none.
   */
  take(email: string | null, address: string | null): Promise<() => Promise<void>>
  /** Forgets the tries of windows that are over. */
  sweep(): Promise<void>
}

/** `secret`: addresses are kept as keyed hashes alone. */
export function createSignInLimit(
  rows: Pick<AccountRows, 'countTry' | 'forgetTry' | 'forgetTriesBefore'>,
  { secret, now }: { readonly secret: string; readonly now: () => number },
): SignInLimit {
  const subjectOf = (kind: keyof typeof LIMITS, what: string): string =>
    `${kind}:${createHmac('sha256', secret).update(`${kind} ${what}`).digest('base64url').slice(0, 22)}`
  const windowAt = () => Math.floor(now() / WINDOW_MS) * WINDOW_MS
  return {
    async take(email, address) {
      const window = windowAt()
      const wanted: readonly (readonly [keyof typeof LIMITS, string])[] = [
        ...(address === null ? [] : [['address', address] as const]),
        ...(address === null || email === null ? [] : [['account-from-address', `${email} ${address}`] as const]),
        ...(email === null ? [] : [['account', email] as const]),
      ]
      const counted: string[] = []
      const giveBack = async () => {
        for (const subject of counted) await rows.forgetTry(subject, window)
      }
      for (const [kind, what] of wanted) {
        const subject = subjectOf(kind, what)
        if (await rows.countTry(subject, window, LIMITS[kind])) {
          counted.push(subject)
          continue
        }
        // A refused one is no try against the account: else one address could lock everyone else out of it.
        await giveBack()
        const seconds = Math.max(1, Math.ceil(msUntil(window + WINDOW_MS, now()) / 1000))
        throw makeError('rate-limited', 'accounts.too-many-tries', { seconds })
      }
      return giveBack
    },
    sweep: () => rows.forgetTriesBefore(windowAt()),
  }
}

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
  /** What tries from there are counted under; null: no one can be told apart by it. */
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
  readonly passwords?: PasswordHashes
  /** Newest first; what an older one signed is taken. */
  readonly secrets: readonly [string, ...(readonly string[])]
  readonly now: () => number
  readonly newId: () => string
  /** Not to be guessed, for links. */
  readonly newCode: () => string
  readonly log: (what: string, cause: unknown) => void
  /** Does it once, this many milliseconds from now; holds no process open. */
  readonly after: (ms: number, task: () => void) => void
  /** Deletes everything that is kept under an owner. */
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

/** The session that the request carries, if one of our secrets signed it. */
export const sessionOf = ({ headers, secure }: Caller, secrets: AccountPorts['secrets']): SessionCookie | null =>
  readSessionCookie(headers.get('cookie'), nameOfSessionCookie(secure), secrets)

/** What the library may know of a request: its session, what it runs in, and the address that we believe. */
export function libraryHeaders(caller: Caller, session: SessionCookie | null): Headers {
  const headers = new Headers()
  if (session) headers.set('cookie', `${nameOfSessionCookie(caller.secure)}=${session.value}`)
  const agent = caller.headers.get('user-agent')
  if (agent !== null) headers.set('user-agent', agent.slice(0, 400))
  if (caller.address !== null) headers.set(ADDRESS_HEADER, caller.address)
  return headers
}

/** The `Set-Cookie` value of a session as the library would write it. */
export const sessionCookie = (session: SessionCookie, secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=${session.value}; Path=${cookiePath}; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The `Set-Cookie` value that takes it away. */
export const forgottenSessionCookie = (secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
