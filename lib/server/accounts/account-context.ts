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
 * The three limits allow for someone who mistypes, an office behind one address, and an account that is attacked from
 * everywhere. If no address is known, only the account's limit counts: an address limit would apply to everyone, and
 * ten guesses would lock the account's owner out.
 */
const LIMITS = { 'account-from-address': 10, address: 60, account: 100 }

interface SignInLimit {
  /**
   * Counts an attempt before it is made, so that concurrent attempts on all nodes count too. Throws AppError
   * `rate-limited` with the seconds to wait. Returns a function that takes the attempt back after a successful sign-in.
   */
  take(email: string | null, address: string | null): Promise<() => Promise<void>>
  /** Deletes attempts of expired windows. */
  sweep(): Promise<void>
}

/** `secret`: addresses are stored only as keyed hashes. */
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
        // A refused attempt does not count against the account: otherwise one address could lock everyone else out.
        await giveBack()
        const seconds = Math.max(1, Math.ceil(msUntil(window + WINDOW_MS, now()) / 1000))
        throw makeError('rate-limited', 'accounts.too-many-tries', { seconds })
      }
      return giveBack
    },
    sweep: () => rows.forgetTriesBefore(windowAt()),
  }
}

/** An account with its effective role: the stored role, or that of `NOD_ADMINS` for a verified address. */
export type Account = AccountRow

/** The caller, as far as the request identifies them. */
export interface Caller {
  readonly headers: Headers
  /** Over HTTPS. */
  readonly secure: boolean
  /** The address at the other end of the connection; null if unknown. */
  readonly peer: string | null
  /** The visitor's address, also behind a trusted proxy. */
  readonly address: string | null
  /** The key under which attempts from there are counted; null: the address does not identify anyone. */
  readonly countedAs: string | null
  /** The owner of the browser's anonymous chats. */
  readonly anonymous: string | null
}

export interface SignedIn {
  readonly account: Account
  /** Null: the proxy in front identifies the user with every request. */
  readonly sessionToken: string | null
  /** `Set-Cookie` values that keep the session. */
  readonly cookies: readonly string[]
}

/** The result of signing up or in: cookies, and what happened to the browser's chats. */
export interface Arrival {
  readonly account: Account
  readonly cookies: readonly string[]
  readonly moved: number
  /** Chats that move when their reply has ended. */
  readonly waiting: number
}

export interface AccountPorts {
  readonly store: Pick<Store, 'accounts' | 'database'>
  readonly settings: AccountSettings
  readonly passwords?: PasswordHashes
  /** Newest first; sessions signed by older secrets are accepted. */
  readonly secrets: readonly [string, ...(readonly string[])]
  readonly now: () => number
  readonly newId: () => string
  /** An unguessable code for links. */
  readonly newCode: () => string
  readonly log: (what: string, cause: unknown) => void
  /** Runs the task once after this many milliseconds; keeps no process alive. */
  readonly after: (ms: number, task: () => void) => void
  /** Deletes everything that is stored under an owner. */
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

/** The better-auth instances: one with HTTPS cookies and one without, created on first use. */
export interface Auths {
  of(secure: boolean): Auth
  /**
   * The instance that knows the OIDC provider, whose description is fetched. Throws AppError `unavailable` while the
   * provider is unreachable.
   */
  withOidc(secure: boolean): Promise<Auth>
}

/** The session that the request carries, if one of our secrets signed it. */
export const sessionOf = ({ headers, secure }: Caller, secrets: AccountPorts['secrets']): SessionCookie | null =>
  readSessionCookie(headers.get('cookie'), nameOfSessionCookie(secure), secrets)

/** The headers that better-auth gets: the session, the user agent, and the address that we trust. */
export function libraryHeaders(caller: Caller, session: SessionCookie | null): Headers {
  const headers = new Headers()
  if (session) headers.set('cookie', `${nameOfSessionCookie(caller.secure)}=${session.value}`)
  const agent = caller.headers.get('user-agent')
  if (agent !== null) headers.set('user-agent', agent.slice(0, 400))
  if (caller.address !== null) headers.set(ADDRESS_HEADER, caller.address)
  return headers
}

/** The `Set-Cookie` value of a session in better-auth's format. */
export const sessionCookie = (session: SessionCookie, secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=${session.value}; Path=${cookiePath}; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

/** The `Set-Cookie` value that deletes the session cookie. */
export const forgottenSessionCookie = (secure: boolean): string =>
  `${nameOfSessionCookie(secure)}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
