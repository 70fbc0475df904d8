import { makeError } from '@/lib/i18n/t'
import type { SessionRow, InvitationRow, Role } from '@/lib/shared/server-facts/account-rows'
import {
  type AccountContext,
  type Caller,
  type SignedIn,
  forgottenSessionCookie,
  libraryHeaders,
  sessionOf,
} from './account-context'
import { shutForDeletion, doAct, requireAdmin, type Actor } from './admin-actions'
import { checkPassword, codeOf, hashOfCode } from './sign-in-actions'
import { isEmail } from './proxy-header'

export interface AccountActions {
  /** How the account can sign in: `credential`, `oidc`, `header`. */
  signInsOf(accountId: string): Promise<readonly string[]>
  listSessions(accountId: string): Promise<readonly SessionRow[]>
  /** Ends one session of the account, on every node at once. */
  endSession(accountId: string, sessionId: string): Promise<void>
  /** Ends all sessions except the caller's; returns how many. */
  endOtherSessions(who: SignedIn): Promise<number>
  /** Also ends all other sessions. Returns `Set-Cookie` values. */
  changePassword(
    caller: Caller,
    who: SignedIn,
    change: { readonly current: string; readonly next: string },
  ): Promise<readonly string[]>
  /**
   * Deletes the account with all of its data. `confirm`: its e-mail address; `password` if it has one. Returns
   * `Set-Cookie` values.
   */
  deleteOwnAccount(
    caller: Caller,
    who: SignedIn,
    confirmation: { readonly confirm: string; readonly password: string | null },
  ): Promise<readonly string[]>
}

export function accountActions(context: AccountContext): AccountActions {
  const { rows, auths, limit, secrets, now, forgetOwner, settings } = context

  /** Counts as a sign-in attempt, so that someone at an open page can't guess the password. */
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
      // Removing the last administrator is refused, because the server would have none. The audit log records the
      // deletion for the other administrators.
      if (account.role === 'admin') await shutForDeletion(context, account, account.id)
      await forgetOwner(account.owner)
      await rows.deleteAccount(account.id, now())
      // Deletes what another device created meanwhile: nobody can access it any more.
      await forgetOwner(account.owner)
      return [forgottenSessionCookie(caller.secure)]
    },
  }
}

const INVITATION_DAYS = 7
const RESET_DAYS = 1
const DAY_MS = 24 * 60 * 60_000

interface MadeInvitation {
  readonly invitation: InvitationRow
  /** Shown once; the rows hold only a hash. `/sign-up?invitation=CODE`, `/reset-password?code=CODE`. */
  readonly code: string
}

export interface InvitationActions {
  /**
   * Creates a link for one account. With `email`, only for that address, which then counts as verified. Expires after
   * seven days.
   */
  invite(actor: Actor, wanted: { readonly email: string | null; readonly role: Role }): Promise<MadeInvitation>
  /** Creates a link to reset an account's password, valid for one day: this server sends no mail. */
  inviteToReset(actor: Actor, accountId: string): Promise<MadeInvitation>
  revokeInvitation(actor: Actor, id: string): Promise<void>
  /** Newest first. */
  listInvitations(
    actor: Actor,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<{ readonly invitations: readonly InvitationRow[]; readonly next: string | null }>
  /** Whether the code of a link is valid, and for which address. */
  lookAtInvitation(kind: InvitationRow['kind'], code: string): Promise<{ readonly email: string | null } | null>
  /** Sets the password with such a link, and ends every session. */
  resetPassword(caller: Caller, reset: { readonly code: string; readonly password: string }): Promise<void>
}

export function invitationActions(context: AccountContext): InvitationActions {
  const { rows, now, newId, newCode, auths, settings, limit } = context

  async function make(
    actor: Actor,
    made: Pick<InvitationRow, 'kind' | 'email' | 'role' | 'accountId'>,
    days: number,
  ): Promise<MadeInvitation> {
    const code = newCode()
    const invitation: InvitationRow = {
      ...made,
      id: newId(),
      madeBy: actor === 'command' ? actor : actor.id,
      createdAt: now(),
      expiresAt: now() + days * DAY_MS,
      usedAt: null,
      revokedAt: null,
    }
    const { kind, role, accountId } = made
    return doAct(context, actor, async (acting) => {
      await acting.addInvitation(invitation, hashOfCode(code))
      const target = accountId ?? invitation.id
      return [
        { act: 'invitation-made', target, detail: { kind, role, id: invitation.id } },
        { invitation, code },
      ]
    })
  }
  function requirePassword(): void {
    if (!settings.ways.has('password')) throw makeError('not-found', 'accounts.no-such-way')
  }

  return {
    invite(actor, { email: address, role }) {
      requireAdmin(actor)
      const email = address?.trim().toLowerCase() ?? null
      if (email !== null && !isEmail(email)) throw makeError('bad-request', 'accounts.email-wrong')
      return make(actor, { kind: 'sign-up', email, role, accountId: null }, INVITATION_DAYS)
    },

    async inviteToReset(actor, accountId) {
      requireAdmin(actor)
      requirePassword()
      const account = await rows.findAccount(accountId)
      if (!account) throw makeError('not-found', 'accounts.no-account')
      return make(actor, { kind: 'reset', email: account.email, role: account.role, accountId }, RESET_DAYS)
    },

    async revokeInvitation(actor, id) {
      requireAdmin(actor)
      await doAct(context, actor, async (acting) => {
        if (!(await acting.revokeInvitation(id, now()))) throw makeError('not-found', 'accounts.invitation-gone')
        return [{ act: 'invitation-revoked', target: id, detail: {} }, undefined]
      })
    },

    async listInvitations(actor, page) {
      requireAdmin(actor)
      return rows.listInvitations(page)
    },

    async lookAtInvitation(kind, code) {
      const found = await rows.findInvitation(hashOfCode(code), now())
      return found?.kind === kind ? { email: found.email } : null
    },

    async resetPassword(caller, { code, password }) {
      requirePassword()
      checkPassword(password)
      const giveBack = await limit.take(null, caller.countedAs)
      const found = await rows.findInvitation(hashOfCode(code), now())
      const accountId = found?.kind === 'reset' ? found.accountId : null
      if (!found || accountId === null || !(await rows.useInvitation(found.id, now()))) {
        throw makeError('forbidden', 'accounts.reset-wrong')
      }
      await giveBack()
      const { internalAdapter, password: hashes } = await auths.of(caller.secure).$context
      const hash = await hashes.hash(password)
      if (await internalAdapter.findCredentialAccount(accountId)) await internalAdapter.updatePassword(accountId, hash)
      else {
        await internalAdapter.createAccount({
          userId: accountId,
          providerId: 'credential',
          accountId,
          password: hash,
        })
      }
      await rows.endSessions(accountId, {})
    },
  }
}
