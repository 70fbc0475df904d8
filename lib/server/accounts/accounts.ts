import { type AccountRow, type Role, offeredBy, type OfferedSignIns } from '@/lib/shared/server-facts/account-rows'
import { accountActions, type AccountActions, invitationActions, type InvitationActions } from './account-actions'
import { adminActions, type AdminActions, namelessAddress } from './admin-actions'
import { signInActions, type SignInActions, transferChats, invitationFor } from './sign-in-actions'
import {
  type Account,
  type AccountContext,
  type AccountPorts,
  type Auths,
  type Caller,
  type SignedIn,
  libraryHeaders,
  sessionOf,
  sessionCookie,
  createSignInLimit,
} from './account-context'
import { makeError } from '@/lib/i18n/t'
import { makeAuth, OIDC, type Auth, type AuthPorts } from './make-auth'
import { withBase, withoutBase } from '@/lib/base/base-path'
import { giveBack, newVisitor, newVisitors } from './new-visitor'
import { createProxyHeader, type NamedUser } from './proxy-header'

interface SessionWatch {
  /**
   * Calls `onEnd` once, within seconds after the sign-in became invalid, on whichever node that happened. A long
   * response was authorized only when it began, so it must stop then. Returns a function that stops watching.
   */
  watch(who: SignedIn, onEnd: () => void): () => void
}

/** One query covers all watched sign-ins, so it can run often. */
const LOOK_EVERY_MS = 2_000

interface Watched {
  readonly who: SignedIn
  readonly onEnd: () => void
}

export function createSessionWatch({ rows, after, log }: Pick<AccountContext, 'rows' | 'after' | 'log'>): SessionWatch {
  const all = new Set<Watched>()
  let isLooking = false

  async function look(): Promise<void> {
    const waiting = [...all]
    const tokens = waiting.flatMap(({ who }) => who.sessionToken ?? [])
    const ids = waiting.flatMap(({ who }) => (who.sessionToken === null ? who.account.id : []))
    const states = await rows.standing({ tokens: [...new Set(tokens)], accounts: [...new Set(ids)] })
    for (const one of waiting) {
      const { account, sessionToken } = one.who
      const stands = sessionToken === null ? states.accounts.has(account.id) : states.tokens.has(sessionToken)
      if (!stands && all.delete(one)) one.onEnd()
    }
  }

  function lookAgain(): void {
    if (isLooking || all.size === 0) return
    isLooking = true
    after(LOOK_EVERY_MS, () => {
      // If the store is unavailable, nothing is known about anyone.
      const looked =
        all.size === 0 ? Promise.resolve() : look().catch((error: unknown) => log('sessions of readers', error))
      void looked.finally(() => {
        isLooking = false
        lookAgain()
      })
    })
  }

  return {
    watch(who, onEnd) {
      const one = { who, onEnd }
      all.add(one)
      lookAgain()
      return () => void all.delete(one)
    },
  }
}

/**
 * Identifies the caller; null if not signed in. Queries the database with every request, so that a session that ended
 * on one node ends on all. Throws AppError `forbidden` for a disabled account and for a forged header.
 */
type Identify = (caller: Caller) => Promise<SignedIn | null>

const HEADER = 'header'

function createIdentify(context: AccountContext): Identify {
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

  /** Two concurrent requests may both see a new user: the database lets only one create the account. */
  async function makeHeaderAccount(named: NamedUser, caller: Caller): Promise<AccountRow> {
    const { anonymous } = caller
    const isFree = named.email !== null && (await rows.findAccountByEmail(named.email)) === null
    const account: Omit<AccountRow, 'owner'> = {
      id: context.newId(),
      name: named.user,
      // If another account has this address, it does not prove whose address it is.
      email: isFree && named.email !== null ? named.email : namelessAddress(named.user),
      emailProven: isFree,
      role: 'user',
      createdAt: context.now(),
      disabledAt: null,
    }
    // The browser's own owner id may have been taken by another account at this moment.
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

interface OidcActions {
  /**
   * Returns the provider's sign-in URL and the cookies to send along. `next`: one of our paths to return to; `link`:
   * adds the provider as a sign-in method of the current account. Throws AppError `unavailable` while the provider is
   * unreachable.
   */
  startOidc(
    caller: Caller,
    wanted: { readonly next: string; readonly link: boolean; readonly invitation: string | null },
  ): Promise<{ readonly url: string; readonly cookies: readonly string[] }>
  /**
   * Handles the provider's callback: redirects to `next`, or to `/sign-in?error=…`. `signedInId` is null for a link or
   * a refusal.
   */
  finishOidc(
    caller: Caller,
    request: Request,
    invitation: string | null,
  ): Promise<{ readonly response: Response; readonly arrived: boolean }>
}

function oidcActions(context: AccountContext): OidcActions {
  const { settings, secrets, auths, rows } = context
  return {
    async startOidc(caller, { next, link, invitation }) {
      const auth = await auths.withOidc(caller.secure)
      if (invitation !== null) await invitationFor(context, invitation, null)
      const ways = { provider: OIDC, callbackURL: withBase(next), disableRedirect: true }
      const headers = libraryHeaders(caller, link ? sessionOf(caller, secrets) : null)
      const answer = link
        ? await auth.api.linkSocialAccount({
            body: { ...ways, errorCallbackURL: withBase('/account') },
            headers,
            returnHeaders: true,
          })
        : await auth.api.signInSocial({
            body: { ...ways, errorCallbackURL: withBase('/sign-in') },
            headers,
            returnHeaders: true,
          })
      const { url } = answer.response
      if (typeof url !== 'string') throw makeError('unavailable', 'accounts.oidc-unreachable', labelOf(settings.oidc))
      return { url, cookies: answer.headers.getSetCookie() }
    },

    async finishOidc(caller, request, code) {
      const auth = await auths.withOidc(caller.secure)
      const invitation = await invitationFor(context, code, null).catch(() => null)
      // An invitation with an address must match the provider's address, which only the hooks will know.
      const coming = newVisitor(caller.anonymous, { invitation })
      const { pathname, search } = new URL(request.url)
      const path = withBase(withoutBase(pathname))
      const headers = libraryHeaders(caller, null)
      headers.set('cookie', request.headers.get('cookie') ?? '')
      const asked = new Request(`${settings.publicUrl ?? ''}${path}${search}`, { headers })
      const response = await newVisitors.run(coming, () => auth.handler(asked))
      await giveBack(coming, rows)
      const row = coming.signedInId === null ? null : await rows.findAccount(coming.signedInId)
      if (row) await transferChats(context, caller.anonymous, row.owner)
      return { response, arrived: row !== null }
    },
  }
}

const labelOf = (oidc: { readonly label: string } | null) => ({ label: oidc?.label ?? '' })

/**
 * Accounts: sign-up, sign-in and the transfer of a browser's chats. Refuses with an AppError and a sentence for the
 * user.
 */
export interface Accounts
  extends SignInActions, OidcActions, AccountActions, AdminActions, InvitationActions, SessionWatch {
  readonly offered: OfferedSignIns
  readonly identify: Identify
  /** An account has this owner, or the owner's chats were moved to one; its cookie grants no access any more. */
  readonly isTaken: (owner: string) => Promise<boolean>
  /** Moves chats that had to wait and deletes old attempts; runs every few seconds on each node. */
  readonly sweep: () => Promise<void>
}

export function createAccounts(ports: AccountPorts): Accounts {
  const { store, settings, secrets, now } = ports
  const rows = store.accounts
  const isAdminAddress = (email: string) => settings.admins.includes(email.toLowerCase())
  const withRole = (row: AccountRow): Account => {
    const role: Role = row.role === 'admin' || (row.emailProven && isAdminAddress(row.email)) ? 'admin' : 'user'
    return role === row.role ? row : { ...row, role }
  }
  const context: AccountContext = {
    ...ports,
    rows,
    auths: createAuths(ports, isAdminAddress),
    limit: createSignInLimit(rows, { secret: secrets[0], now }),
    withRole,
    isAdminAddress,
  }
  return {
    offered: offeredBy(settings),
    identify: createIdentify(context),
    isTaken: (owner) => rows.isOwnerTaken(owner),
    ...signInActions(context),
    ...oidcActions(context),
    ...accountActions(context),
    ...adminActions(context),
    ...invitationActions(context),
    ...createSessionWatch(context),
    async sweep() {
      await rows.moveChats(now())
      await context.limit.sweep()
    },
  }
}

function createAuths(ports: AccountPorts, isAdminAddress: (email: string) => boolean): Auths {
  const { settings, secrets } = ports
  const authPorts: AuthPorts = {
    ...ports,
    secret: secrets[0],
    refusalOf(email, { proven, invited }) {
      // An invitation for anyone must not allow signing up with an administrator's address.
      if (isAdminAddress(email) && !proven) return 'address_must_be_proven'
      return settings.inviteOnly && !invited ? 'invitation_needed' : null
    },
  }
  const plain = new Map<boolean, Auth>()
  const knowing = new Map<boolean, Promise<Auth>>()

  async function makeWithProvider(secure: boolean): Promise<Auth> {
    const { oidc } = settings
    if (!oidc) throw makeError('not-found', 'accounts.no-such-way')
    const auth = makeAuth(authPorts, { secure, oidc })
    const { socialProviders } = await auth.$context
    if (!socialProviders.some((one) => one.id === OIDC)) {
      throw makeError('unavailable', 'accounts.oidc-unreachable', { label: oidc.label })
    }
    return auth
  }

  return {
    of(secure) {
      const made = plain.get(secure) ?? makeAuth(authPorts, { secure, oidc: null })
      plain.set(secure, made)
      return made
    },
    withOidc(secure) {
      const made = knowing.get(secure)
      if (made) return made
      const making = makeWithProvider(secure)
      knowing.set(secure, making)
      // The next call asks again.
      making.catch(() => knowing.delete(secure))
      return making
    },
  }
}
