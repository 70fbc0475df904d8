import { makeError } from '@/lib/i18n/t'
import type { AccountRow } from '@/lib/store/account-rows'
import type { AccountContext, Caller, SignedIn } from './account-context'
import { libraryHeaders, sessionCookie, sessionOf } from './library-headers'
import { namelessAddress } from './shown-address'
import { createProxyHeader, type NamedUser } from './proxy-header'

/**
 * Who asks; null: nobody that is signed in. Asks the database with every request, so that a session that was ended on one node
 * is ended on all. Throws AppError `forbidden` for an account that was switched off, and for a forged header.
 */
export type Identify = (caller: Caller) => Promise<SignedIn | null>

const HEADER = 'header'

export function createIdentify(context: AccountContext): Identify {
  const { settings, secrets, rows, auths, withRole } = context
  const readHeader = settings.header ? createProxyHeader(settings.header) : null

  async function bySession(caller: Caller): Promise<SignedIn | null> {
    const session = sessionOf(caller, secrets)
    if (!session) return null
    const answer = await auths.of(caller.secure).api.getSession({
      headers: libraryHeaders(caller, session),
      query: { disableCookieCache: true },
      returnHeaders: true,
    })
    const found = answer.response
    if (!found) return null
    const row = await rows.findAccount(found.user.id)
    if (!row) return null
    const renewed = answer.headers.getSetCookie()
    const cookies = renewed.length === 0 && session.stale ? [sessionCookie(session, caller.secure)] : renewed
    return { account: withRole(row), sessionToken: found.session.token, cookies }
  }

  async function byHeader(named: NamedUser, caller: Caller): Promise<SignedIn> {
    const known = await rows.findAccountBySignIn(HEADER, named.user)
    const row = known ?? (await makeHeaderAccount(named, caller))
    return { account: withRole(row), sessionToken: null, cookies: [] }
  }

  /** Two requests may find somebody new at once: the database lets one make them. */
  async function makeHeaderAccount(named: NamedUser, caller: Caller): Promise<AccountRow> {
    const { anonymous } = caller
    const isFree = named.email !== null && (await rows.findAccountByEmail(named.email)) === null
    const account: Omit<AccountRow, 'owner'> = {
      id: context.newId(),
      name: named.user,
      // An address that another account has says nothing of whose that is.
      email: isFree && named.email !== null ? named.email : namelessAddress(named.user),
      emailProven: isFree,
      role: 'user',
      createdAt: context.now(),
      disabledAt: null,
    }
    // The browser's own may have become another's in this moment.
    for (const owner of anonymous === null ? [context.newId()] : [anonymous, context.newId()]) {
      await rows.addAccount({ ...account, owner }, { id: context.newId(), providerId: HEADER, accountId: named.user })
      const made = await rows.findAccountBySignIn(HEADER, named.user)
      if (made) return made
    }
    throw makeError('unavailable', 'accounts.not-made')
  }

  return async (caller) => {
    const named = readHeader?.(caller.headers, caller.peer) ?? null
    const found = named ? await byHeader(named, caller) : await bySession(caller)
    if (found?.account.disabledAt != null) throw makeError('forbidden', 'accounts.disabled')
    return found
  }
}
