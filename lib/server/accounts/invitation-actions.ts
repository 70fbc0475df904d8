import { makeError } from '@/lib/i18n/t'
import type { InvitationRow, Role } from '@/lib/shared/server-facts/account-rows'
import type { AccountContext, Caller } from './account-context'
import { doAct, requireAdmin, type Actor } from './admin-actions'
import { checkPassword, hashOfCode } from './sign-in-actions'
import { isEmail } from './proxy-header'

const INVITATION_DAYS = 7
const RESET_DAYS = 1
const DAY_MS = 24 * 60 * 60_000

export interface MadeInvitation {
  readonly invitation: InvitationRow
  /** Shown once: the rows hold a hash of it. `/sign-up?invitation=CODE`, `/reset-password?code=CODE`. */
  readonly code: string
}

export interface InvitationActions {
  /** A link for one account; with `email` for that address alone, which then counts as proven. Ends after seven days. */
  invite(actor: Actor, wanted: { readonly email: string | null; readonly role: Role }): Promise<MadeInvitation>
  /** A link that sets an account's password anew, for a day: this server sends no mail. */
  inviteToReset(actor: Actor, accountId: string): Promise<MadeInvitation>
  revokeInvitation(actor: Actor, id: string): Promise<void>
  /** Newest first. */
  listInvitations(
    actor: Actor,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<{ readonly invitations: readonly InvitationRow[]; readonly next: string | null }>
  /** Whether the code of a link can be used, and for which address. */
  lookAtInvitation(kind: InvitationRow['kind'], code: string): Promise<{ readonly email: string | null } | null>
  /** Sets the password by such a link, and ends every session. */
  resetPassword(caller: Caller, said: { readonly code: string; readonly password: string }): Promise<void>
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
    invite(actor, { email: said, role }) {
      requireAdmin(actor)
      const email = said?.trim().toLowerCase() ?? null
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
