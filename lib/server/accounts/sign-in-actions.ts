import { createHash } from 'node:crypto'
import { isAPIError } from 'better-auth/api'
import { makeError } from '@/lib/i18n/t'
import type { InvitationRow } from '@/lib/shared/server-facts/account-rows'
import {
  type AccountContext,
  type Arrival,
  type Caller,
  type SignedIn,
  forgottenSessionCookie,
  libraryHeaders,
} from './account-context'
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from './make-auth'
import { giveBack, newVisitor, newVisitors } from './new-visitor'
import { isEmail } from './proxy-header'

export interface SignInActions {
  /** Moves the chats of a browser's own owner to an account's owner. */
  transferChats(anonymous: string, owner: string): Promise<{ readonly moved: number; readonly waiting: number }>
  signUp(
    caller: Caller,
    person: {
      readonly email: string
      readonly password: string
      readonly name: string
      readonly invitation: string | null
    },
  ): Promise<Arrival>
  signIn(caller: Caller, credentials: { readonly email: string; readonly password: string }): Promise<Arrival>
  /** Returns `Set-Cookie` values. */
  signOut(caller: Caller, who: SignedIn, everywhere: boolean): Promise<readonly string[]>
}

export const hashOfCode = (code: string): string => createHash('sha256').update(code).digest('hex')

/** The code of a better-auth refusal; null for any other error, which is rethrown. */
export const codeOf = (error: unknown): string | null => (isAPIError(error) ? (error.body?.code ?? '') : null)

export function checkPassword(password: string): void {
  if (password.length < MIN_PASSWORD_CHARS) {
    throw makeError('bad-request', 'accounts.password-short', { least: MIN_PASSWORD_CHARS })
  }
  if (password.length > MAX_PASSWORD_CHARS) {
    throw makeError('bad-request', 'accounts.password-long', { most: MAX_PASSWORD_CHARS })
  }
}

/** The invitation for a code and this address; null if no code was given. Throws AppError if it can't be used. */
export async function invitationFor(
  { rows, now }: Pick<AccountContext, 'rows' | 'now'>,
  code: string | null,
  email: string | null,
): Promise<InvitationRow | null> {
  if (code === null || code === '') return null
  const found = await rows.findInvitation(hashOfCode(code), now())
  const fits = found?.kind === 'sign-up' && (found.email === null || email === null || found.email === email)
  if (!fits) throw makeError('forbidden', 'accounts.invitation-wrong')
  return found
}

/** Moves the browser's chats to the signed-in account; chats with a running reply follow later. */
export async function transferChats(
  { rows, now }: Pick<AccountContext, 'rows' | 'now'>,
  anonymous: string | null,
  owner: string,
): Promise<{ readonly moved: number; readonly waiting: number }> {
  if (anonymous === null || anonymous === owner) return { moved: 0, waiting: 0 }
  await rows.recordMove(anonymous, owner, now())
  return rows.moveChats(now(), anonymous)
}

export function signInActions(context: AccountContext): SignInActions {
  const { settings, rows, auths, limit, withRole, isAdminAddress, now } = context

  async function arrive(caller: Caller, accountId: string, headers: Headers): Promise<Arrival> {
    const row = await rows.findAccount(accountId)
    if (!row) throw makeError('not-found', 'accounts.no-account')
    const brought = await transferChats(context, caller.anonymous, row.owner)
    return { account: withRole(row), cookies: headers.getSetCookie(), ...brought }
  }
  function requirePassword(): void {
    if (!settings.ways.has('password')) throw makeError('not-found', 'accounts.no-such-way')
  }

  return {
    transferChats: (anonymous, owner) => transferChats(context, anonymous, owner),

    async signUp(caller, { password, name, invitation: code, ...said }) {
      requirePassword()
      const email = said.email.trim().toLowerCase()
      if (!isEmail(email)) throw makeError('bad-request', 'accounts.email-wrong')
      checkPassword(password)
      const wasNoTry = await limit.take(null, caller.countedAs)
      const invitation = await invitationFor(context, code, email)
      if (!invitation && settings.inviteOnly) throw makeError('forbidden', 'accounts.invitation-needed')
      const emailProven = invitation?.email === email
      if (isAdminAddress(email) && !emailProven) throw makeError('forbidden', 'accounts.address-must-be-proven')
      const coming = newVisitor(caller.anonymous, { invitation, emailProven })
      try {
        const answer = await newVisitors.run(coming, () =>
          auths.of(caller.secure).api.signUpEmail({
            body: { email, password, name: name.trim() || (email.split('@')[0] ?? email) },
            headers: libraryHeaders(caller, null),
            returnHeaders: true,
          }),
        )
        await wasNoTry()
        return await arrive(caller, answer.response.user.id, answer.headers)
      } catch (error) {
        await giveBack(coming, rows)
        const refused = codeOf(error)
        if (refused === null) throw error
        if (refused === 'invitation_wrong') throw makeError('forbidden', 'accounts.invitation-wrong')
        if (refused.startsWith('USER_ALREADY_EXISTS')) throw makeError('conflict', 'accounts.email-taken')
        throw error
      }
    },

    async signIn(caller, credentials) {
      requirePassword()
      const email = credentials.email.trim().toLowerCase()
      const wasNoTry = await limit.take(email, caller.countedAs)
      // An invalid address takes the same path and the same time, so that the response does not reveal which accounts
      // exist.
      const body = { email: isEmail(email) ? email : 'nobody@nod.invalid', password: credentials.password }
      try {
        const answer = await auths.of(caller.secure).api.signInEmail({
          body,
          headers: libraryHeaders(caller, null),
          returnHeaders: true,
        })
        await wasNoTry()
        return await arrive(caller, answer.response.user.id, answer.headers)
      } catch (error) {
        const refused = codeOf(error)
        if (refused === null) throw error
        if (refused === 'account_disabled') throw makeError('forbidden', 'accounts.disabled')
        throw makeError('forbidden', 'accounts.wrong-password')
      }
    },

    async signOut(caller, { account, sessionToken }, everywhere) {
      if (sessionToken === null) throw makeError('bad-request', 'accounts.header-account')
      if (everywhere) await rows.endSessions(account.id, {})
      else {
        const session = (await rows.listSessions(account.id, now())).find((one) => one.token === sessionToken)
        if (session) await rows.endSessions(account.id, { id: session.id })
      }
      return [forgottenSessionCookie(caller.secure)]
    },
  }
}
