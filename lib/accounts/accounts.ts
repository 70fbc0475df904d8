import type { AccountRow, Role } from '@/lib/store/account-rows'
import { accountActions, type AccountActions } from './account-actions'
import { adminActions, type AdminActions } from './admin-actions'
import { createAuths } from './auths'
import { createIdentify, type Identify } from './identify'
import { invitationActions, type InvitationActions } from './invitation-actions'
import { oidcActions, type OidcActions } from './oidc-actions'
import { createSessionWatch, type SessionWatch } from './session-watch'
import { createSignInLimit } from './sign-in-limit'
import { signInActions, type SignInActions } from './sign-in-actions'
import type { Account, AccountContext, AccountPorts } from './account-context'
import { offeredBy, type OfferedSignIns } from './account-settings'

/**
 * Accounts: who signs up and in, by which ways, and what becomes of a browser's chats then. Refuses with AppError and a sentence
 * for the person.
 */
export interface Accounts
  extends SignInActions, OidcActions, AccountActions, AdminActions, InvitationActions, SessionWatch {
  readonly offered: OfferedSignIns
  readonly identify: Identify
  /** An account has this owner, or its chats went to one: its cookie lets nobody in any more. */
  readonly isTaken: (owner: string) => Promise<boolean>
  /** Takes chats along that had to wait, and forgets old tries; every few seconds on each node. */
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
