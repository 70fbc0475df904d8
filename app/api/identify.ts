import { cookiePath } from '@/lib/base/base-path'
import type { SignedIn } from '@/lib/server/accounts/account-context'
import {
  forgottenOwnerCookie,
  holdsOldOwnerCookie,
  ownerCookieName,
  secureOwnerCookieName,
} from '@/lib/server/quota/owner'
import { whoHeader } from '@/lib/shared/conversation/settings/who'
import { isSecure } from '@/lib/server/http/access'
import { makeError } from '@/lib/i18n/t'
import { callerOf } from '@/lib/server/wiring/requests/page-identity.server'
import type { Server } from '@/lib/server/wiring/server-parts'

/** Nobody, who owns nothing. */
export const NOBODY = 'nobody'

export interface Identity {
  readonly owner: string
  /** Null: a browser without an account. */
  readonly signedIn: SignedIn | null
  /** Whose the browser's own chats are, and no account's. */
  readonly anonymous: string | null
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[]
  /** Was here before. */
  readonly known: boolean
}

interface Wanted {
  /** Somebody new gets an owner. */
  readonly changes: boolean
  /** Asks who is signed in only to sign in: nobody is made up, nobody refused. */
  readonly arriving: boolean
}

/**
 * Whose request this is: the account's that is signed in, else the browser's own owner by its cookie. Throws AppError
 * `signed-out` where an account is needed, or the page was another's.
 */
export async function identify(server: Server, request: Request, wanted: Wanted): Promise<Identity> {
  const { accounts = null, owners } = server
  const secure = isSecure(request)
  const header = request.headers.get('cookie')
  const read = await owners.read(header, { secure })
  const known = read && accounts && (await accounts.isTaken(read.owner)) ? null : read
  const anonymous = known?.owner ?? null
  const signedIn = (await accounts?.identify(callerOf(request, anonymous))) ?? null
  if (!wanted.arriving) refuseOthers(server, request, signedIn)

  if (signedIn) {
    const { owner } = signedIn.account
    // Whoever is named by the proxy never came by the page to sign in, where the browser's chats are brought.
    const left = signedIn.sessionToken === null && anonymous !== null && anonymous !== owner
    if (left) await accounts?.transferChats(anonymous, owner)
    const cookies = left ? [...signedIn.cookies, ...forgottenOwnerCookies(secure)] : signedIn.cookies
    return { owner, signedIn, anonymous, cookies, known: true }
  }
  if (known && !(known.stale && wanted.changes)) {
    return { owner: known.owner, signedIn, anonymous, cookies: [], known: true }
  }
  if (wanted.arriving || (!known && !wanted.changes))
    return { owner: NOBODY, signedIn, anonymous, cookies: [], known: false }
  const owner = known?.owner ?? owners.create()
  const cookie = owners.cookie(owner, { secure })
  const cookies = holdsOldOwnerCookie(header, { secure }) ? [cookie, forgottenOwnerCookie] : [cookie]
  return { owner, signedIn, anonymous: owner, cookies, known: known !== null }
}

function refuseOthers({ accounts, mark }: Server, request: Request, signedIn: SignedIn | null): void {
  if (!accounts) return
  const page = request.headers.get(whoHeader) ?? ''
  const here = signedIn ? (mark?.(signedIn.account.owner) ?? '') : ''
  if (page !== '' && page !== here) throw makeError('signed-out', 'accounts.signed-out')
  if (!signedIn && !accounts.offered.anonymous) throw makeError('signed-out', 'accounts.sign-in-needed')
}

/** The `Set-Cookie` values that take the browser's own owner away: its chats are an account's. */
export const forgottenOwnerCookies = (secure: boolean): readonly string[] =>
  [ownerCookieName, ...(secure ? [secureOwnerCookieName] : [])].map(
    (name) => `${name}=; Path=${cookiePath}; Max-Age=0; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
  )
