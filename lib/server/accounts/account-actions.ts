import { makeError } from '@/lib/i18n/t'
import type { SessionRow } from '@/lib/shared/server-facts/account-rows'
import type { AccountContext, Caller, SignedIn } from './account-context'
import { forgottenSessionCookie, libraryHeaders, sessionOf } from './library-headers'
import { shutForDeletion } from './admin-actions'
import { checkPassword, codeOf } from './sign-in-actions'

export interface AccountActions {
  /** The ways by which the account can sign in: `credential`, `oidc`, `header`. */
  signInsOf(accountId: string): Promise<readonly string[]>
  listSessions(accountId: string): Promise<readonly SessionRow[]>
  /** Ends one session of the account, on every node at once. */
  endSession(accountId: string, sessionId: string): Promise<void>
  /** Ends all but the one that asks; gives how many. */
  endOtherSessions(who: SignedIn): Promise<number>
  /** Ends all other sessions, too. Gives `Set-Cookie` values. */
  changePassword(
    caller: Caller,
    who: SignedIn,
    said: { readonly current: string; readonly next: string },
  ): Promise<readonly string[]>
  /** With all that is kept for it. `confirm`: its address; `password` where it has one. Gives `Set-Cookie` values. */
  deleteOwnAccount(
    caller: Caller,
    who: SignedIn,
    said: { readonly confirm: string; readonly password: string | null },
  ): Promise<readonly string[]>
}

export function accountActions(context: AccountContext): AccountActions {
  const { rows, auths, limit, secrets, now, forgetOwner, settings } = context

  /** Counted as a try to sign in: who sits at somebody's open page must not find the password out. */
  async function isPassword(caller: Caller, { account }: SignedIn, password: string): Promise<boolean> {
    const giveBack = await limit.take(account.email, caller.countedAs)
    const { internalAdapter, password: hashes } = await auths.of(caller.secure).$context
    const credential = await internalAdapter.findCredentialAccount(account.id)
    if (!credential?.password) throw makeError('bad-request', 'accounts.no-password')
    const right = await hashes.verify({ hash: credential.password, password })
    if (right) await giveBack()
    return right
  }

  return {
    signInsOf: (accountId) => rows.signInsOf(accountId),
    listSessions: (accountId) => rows.listSessions(accountId, now()),

    async endSession(accountId, id) {
      if ((await rows.endSessions(accountId, { id })) === 0) throw makeError('not-found', 'accounts.no-session')
    },

    endOtherSessions: ({ account, sessionToken }) =>
      rows.endSessions(account.id, sessionToken === null ? {} : { but: sessionToken }),

    async changePassword(caller, who, { current, next }) {
      if (!settings.ways.has('password')) throw makeError('not-found', 'accounts.no-such-way')
      checkPassword(next)
      if (!(await isPassword(caller, who, current))) throw makeError('forbidden', 'accounts.password-wrong-now')
      try {
        const answer = await auths.of(caller.secure).api.changePassword({
          body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
          headers: libraryHeaders(caller, sessionOf(caller, secrets)),
          returnHeaders: true,
        })
        return answer.headers.getSetCookie()
      } catch (error) {
        if (codeOf(error) === null) throw error
        throw makeError('forbidden', 'accounts.password-wrong-now')
      }
    },

    async deleteOwnAccount(caller, who, { confirm, password }) {
      const { account } = who
      if (confirm.trim().toLowerCase() !== account.email) throw makeError('bad-request', 'accounts.confirm-wrong')
      const ways = await rows.signInsOf(account.id)
      if (ways.includes('credential') && !(await isPassword(caller, who, password ?? ''))) {
        throw makeError('forbidden', 'accounts.password-wrong-now')
      }
      // What the server is without its last administrator is for everybody to bear; and that one has gone is for the others to know.
      if (account.role === 'admin') await shutForDeletion(context, account, account.id)
      await forgetOwner(account.owner)
      await rows.deleteAccount(account.id, now())
      // What another device began meanwhile: nobody can see it, and it is theirs.
      await forgetOwner(account.owner)
      return [forgottenSessionCookie(caller.secure)]
    },
  }
}
